import LocalCloudPredicateFormat
import LocalCloudStorage

/// Finds the objects of one entity that may match a fetch.
struct CandidateFinder {
  /// Ranges of an index's keys.
  struct Search {
    var layout: IndexLayout
    /// The beginnings of the keys.
    var ranges: [IndexRange]
    /// The number of elements that the ranges determine, all but the last one exactly.
    fileprivate var depth: Int
    fileprivate var isExact: Bool
  }

  let entity: Int
  private let view: StoreView
  private let conditions: FetchConditions
  /// The objects that a to-one relationship may lead to.
  private var targets: (relationship: Int, numbers: Set<Int64>)?
  /// The search in the index that narrows the candidates most.
  private var indexSearch: Search?

  init(_ entity: Int, _ conditions: FetchConditions, _ view: StoreView) {
    self.entity = entity
    self.conditions = conditions
    self.view = view
    targets = findTargets()
    indexSearch = bestSearch()
  }

  /// The numbers of the stored objects that may match, in order; nil if all have to be read.
  func candidates() throws -> [Int64]? {
    if let numbers = conditions.numbers { return numbers.sorted() }
    if let targets, indexSearch.map({ $0.depth < 2 }) ?? true { return try sources(of: targets) }
    guard let search = indexSearch else { return nil }
    var numbers: [Int64] = []
    for range in search.ranges {
      try view.view.scan(prefix: search.layout.prefix(.value), from: range.lower) { key in
        if !key.starts(with: range.upper), ByteOrder.compare(key, range.upper) > 0 { return false }
        numbers.append(key.lastNumber)
        return true
      }
    }
    try view.view.scan(prefix: search.layout.prefix(.unordered)) { key in
      numbers.append(key.lastNumber)
      return true
    }
    return Set(numbers).sorted()
  }

  /// Whether an index limits the objects that have to be read.
  var hasIndex: Bool { conditions.numbers != nil || targets != nil || indexSearch != nil }

  // MARK: Relationships

  private func findTargets() -> (relationship: Int, numbers: Set<Int64>)? {
    for relationship in view.schema.entities[entity].toOnes {
      if let numbers = conditions.targets(view.schema.relationships[relationship].name) {
        return (relationship, numbers)
      }
    }
    return nil
  }

  private func sources(of targets: (relationship: Int, numbers: Set<Int64>)) throws -> [Int64] {
    var found: [Int64] = []
    for target in targets.numbers {
      found += try view.storedSources(of: targets.relationship, to: target).filter { Int($0.id.entity) == entity }
        .map(\.id.number)
    }
    return found.sorted()
  }

  // MARK: Indexes

  private func bestSearch() -> Search? {
    var best: Search?
    for layout in view.folder.rowKeys.layouts[entity] {
      guard let search = search(layout) else { continue }
      if let known = best, (known.depth, known.isExact ? 1 : 0) >= (search.depth, search.isExact ? 1 : 0) { continue }
      best = search
    }
    return best
  }

  /// Nil if no condition concerns the index's first element.
  private func search(_ layout: IndexLayout) -> Search? {
    var search = Search(layout: layout, ranges: [IndexRange(layout.prefix(.value))], depth: 0, isExact: true)
    for element in layout.elements {
      guard search.isExact, let (ranges, isExact) = ranges(element), !ranges.isEmpty || search.depth == 0 else { break }
      guard search.ranges.count * ranges.count <= 200 else { break }
      search.ranges = search.ranges.flatMap { earlier in
        ranges.map { IndexRange(earlier.lower + $0.lower, earlier.upper + $0.upper) }
      }
      // A rounded value is a range, so no further index element can narrow the search behind it.
      search.isExact = isExact && ranges.allSatisfy { $0.lower == $0.upper }
      search.depth += 1
    }
    return search.depth > 0 ? search : nil
  }

  /// The ranges of an element, by its narrowest condition.
  private func ranges(_ element: IndexLayout.Element) -> (ranges: [IndexRange], isExact: Bool)? {
    let found: [IndexRange]?
    var isExact = true
    switch element.part {
    case .toOne:
      found = conditions.targets(element.property).map { $0.sorted().map { IndexRange(IndexedValue.bytes($0)) } }
    case .attribute(_, let type):
      let usable = (conditions.properties[element.property] ?? []).compactMap { condition in
        condition.ranges(type).map { (ranges: $0, isExact: condition.isExact) }
      }
      let best = usable.first { $0.isExact } ?? Self.joined(usable.map(\.ranges))
      found = best?.ranges
      isExact = best?.isExact ?? false
    }
    return found.map { ranges in (element.isAscending ? ranges : ranges.map(\.reversed), isExact) }
  }

  /// The intersection of several ranges: from the greatest lower end to the least upper one.
  private static func joined(_ all: [[IndexRange]]) -> (ranges: [IndexRange], isExact: Bool)? {
    guard var range = all.first?.first else { return nil }
    for other in all.dropFirst() {
      guard let other = other.first else { continue }
      if ByteOrder.compare(other.lower, range.lower) > 0 { range.lower = other.lower }
      // An upper end includes all keys that begin with it.
      if range.upper.count == 1 || (other.upper.count > 1 && ByteOrder.compare(other.upper, range.upper) < 0) {
        range.upper = other.upper
      }
    }
    return ([range], false)
  }
}
