import CloudStore
import Storage

/// Names of records in the orders that queries need them in. None is kept longer than a page of them.
extension ZoneView {
  /// Of a type, by name, after `name`.
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

  /// Of those in a part of a field's index, by name and each once, after `name`.
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

  /// All entries in the order of their values, from the first that is not before `start`, or the other way round: from the
  /// last that is not behind it. Of one value by name, from `name` on in the value of `start`. What is missing comes
  /// first, or last.
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
    let (values, end) = (IndexedValue.always, [IndexedValue.element])
    let (missing, first) = (IndexedValue.missing, [IndexedValue.missing[0] + 1])
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

/// The first of many names.
private struct FirstNames {
  private let size: Int
  private let after: ExactName?
  private var names: [ExactName] = []
  /// Where those begin that are too many.
  private var bound: ExactName?

  init(_ size: Int, after name: ExactName?) {
    self.size = size
    after = name
  }

  /// Answers false for a name behind those that are wanted.
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

  /// And whether there are no more.
  mutating func sorted() -> (names: [ExactName], isAll: Bool) {
    cut()
    return (names, bound == nil)
  }
}
