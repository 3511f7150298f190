import LocalCloudStorage
import LocalCloudStore

/// Iteration over record names in the orders that queries need. Reads names in pages, so the page size bounds the
/// memory.
extension ZoneView {
  /// Calls `body` with the names of a type's records, by name, after `name`; until it returns false.
  func forEachName(
    ofType type: String, after name: ExactName?, atOnce size: Int, _ body: (ExactName) throws -> Bool
  ) throws {
    var last = name
    while true {
      let names = try records(ofType: type, after: last, limit: size)
      for name in names {
        if try !body(name) { return }
      }
      guard names.count == size else { return }
      last = names.last
    }
  }

  /// Calls `body` with the names of the records in a part of a field's index, by name and each once, after `name`;
  /// until it returns false.
  func forEachName(
    in part: IndexedPart, after name: ExactName?, atOnce size: Int, _ body: (ExactName) throws -> Bool
  ) throws {
    var last = name
    while true {
      var first = FirstNames(size, after: last)
      for range in part.ranges {
        let isByName = range.isOneValue
        let lower = last.map { isByName ? range.lower + [0] + $0.string.utf8 : range.lower } ?? range.lower
        try entries(of: part.field, from: lower, to: range.upper) { first.add($0.name) || !isByName }
      }
      let (names, isAll) = first.sorted()
      for name in names {
        if try !body(name) { return }
      }
      if isAll { return }
      last = names.last
    }
  }

  /// Calls `body` with the entries of a field's index in the order of their values, until it returns false. Ascending:
  /// from the first entry that is not before `start`; descending: from the last that is not after it. Entries of one
  /// value are in the order of names; those with the value of `start` begin at `name`. Records without a value are
  /// first, or last if descending.
  func forEachEntry(
    of field: IndexedField, ascending: Bool, from start: [UInt8]?, _ name: ExactName?,
    _ body: (FieldEntry) throws -> Bool
  ) throws {
    var isOver = false
    func run(_ lower: [UInt8], _ upper: [UInt8]) throws {
      if isOver { return }
      try entries(of: field, from: lower, to: upper) { entry in
        isOver = try !body(entry)
        return !isOver
      }
    }
    func lower(_ value: [UInt8]) -> [UInt8] {
      guard let name, value == start else { return value }
      return value + [0] + name.string.utf8
    }
    let (values, end) = (FieldIndexKey.always, [FieldIndexKey.element])
    let (missing, first) = (FieldIndexKey.missing, [FieldIndexKey.missing[0] + 1])
    if ascending {
      if start == nil || start == missing {
        try run(values, missing)
        try run(lower(missing), first)
      }
      return try run(start.map { $0 == missing ? first : lower($0) } ?? first, end)
    }
    var upper = start.map { $0 == missing ? first : IndexedRange.behind($0) } ?? end
    while !isOver, let value = try lastValue(of: field, before: upper), value[...].first ?? 0 > missing[0] {
      try run(lower(value), IndexedRange.behind(value))
      upper = value
    }
    try run(values, missing)
    try run(lower(missing), first)
  }
}

/// Collects the first `size` distinct names, in the order of names.
private struct FirstNames {
  private let size: Int
  private let after: ExactName?
  private var names: [ExactName] = []
  /// The greatest wanted name, once there are enough names.
  private var bound: ExactName?

  init(_ size: Int, after name: ExactName?) {
    self.size = size
    after = name
  }

  /// Adds a name. Returns false for one after all wanted names.
  mutating func add(_ name: ExactName) -> Bool {
    if let after, name <= after { return true }
    if let bound, bound < name { return false }
    names.append(name)
    if names.count >= 2 * size { cut() }
    return true
  }

  private mutating func cut() {
    names.sort()
    var last: ExactName?
    names.removeAll { name in
      defer { last = name }
      return name == last
    }
    guard names.count > size else { return }
    names.removeLast(names.count - size)
    bound = names.last
  }

  /// The collected names in order, and whether these are all.
  mutating func sorted() -> (names: [ExactName], isAll: Bool) {
    cut()
    return (names, bound == nil)
  }
}
