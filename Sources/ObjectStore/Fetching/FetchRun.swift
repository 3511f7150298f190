import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage

/// Answers one ``StoreFetch``.
struct FetchRun {
  private let fetch: StoreFetch
  private let view: StoreView
  let subjects: RowSubjects
  private let conditions: IndexConditions
  /// The entities that are not abstract.
  private let entities: [Int]
  /// The number of rows up to the end of the page.
  private let needed: Int
  private var evaluator: PredicateEvaluator?
  private var sorter = PredicateEvaluator(.constant(true))

  init(_ fetch: StoreFetch, _ view: StoreView) {
    self.fetch = fetch
    self.view = view
    subjects = RowSubjects(view)
    conditions = IndexConditions(fetch.usesIndexes ? fetch.predicate : nil, store: view.store.identifier)
    entities = Set(fetch.entities).sorted().filter { !view.schema.entities[$0].isAbstract }
    let (needed, isMore) = max(0, fetch.offset).addingReportingOverflow(max(0, fetch.limit))
    self.needed = isMore ? .max : needed
    evaluator = fetch.predicate.map { PredicateEvaluator($0, matching: fetch.matching) }
    evaluator?.nilComparison = fetch.nilComparison
  }

  private func cut<Element>(_ all: [Element]) -> [Element] {
    Array(all.dropFirst(max(0, fetch.offset)).prefix(max(0, fetch.limit)))
  }

  /// The number of rows in the page, out of `count` matching rows.
  private func cut(_ count: Int) -> Int { min(max(0, count - max(0, fetch.offset)), max(0, fetch.limit)) }

  mutating func rows() throws -> [StoredRow] {
    if let ids = try orderedIDs() { return try view.rows(ids) }
    return try sorted { $0 }.map(\.content)
  }

  /// The identities of the matching objects. Rows are read only if the predicate or the order needs them.
  mutating func ids() throws -> [RowID] {
    if fetch.predicate == nil, fetch.sort.isEmpty {
      try view.requireWhole(objectsOf: entities)
      return cut(try entities.flatMap { try view.ids(of: $0) }.sorted())
    }
    return try orderedIDs() ?? sorted(\.id).map(\.content)
  }

  /// The matching objects in order, with their sort values. `content`: the part of a row that is needed.
  mutating func sorted<Content>(
    _ content: (StoredRow) -> Content
  ) throws -> [(content: Content, id: RowID, values: [SortValue])] {
    if needed == 0 { return [] }
    try view.requireWhole(objectsOf: entities)
    if let rows = try orderedRows() { return try rows.map { (content($0), $0.id, try sortValues(of: $0)) } }
    var found: [(content: Content, id: RowID, values: [SortValue])] = []
    // Without an order, the first rows of each entity are enough.
    let most = fetch.sort.isEmpty ? needed : .max
    for entity in entities {
      var count = 0
      try forEachCandidate(of: entity) { run, row in
        if try run.matches(row) {
          found.append((content(row), row.id, try run.sortValues(of: row)))
          count += 1
        }
        return count < most
      }
    }
    found.sort { left, right in fetch.sort.precede(left.values, right.values) ?? (left.id < right.id) }
    return cut(found)
  }

  mutating func count() throws -> Int {
    try view.requireWhole(objectsOf: entities)
    var count = 0
    if fetch.predicate == nil {
      for entity in entities { count += Int(clamping: try view.rowCount(of: entity)) }
      return cut(count)
    }
    for entity in entities {
      try forEachCandidate(of: entity) { run, row in
        if try run.matches(row) { count += 1 }
        return count < run.needed
      }
    }
    return cut(count)
  }

  /// Calls `body` with each matching object and its sort values, in the order of entity and number.
  mutating func forEachMatch(_ body: (inout FetchRun, StoredRow, [SortValue]) throws -> Void) throws {
    try view.requireWhole(objectsOf: entities)
    for entity in entities {
      try forEachCandidate(of: entity) { run, row in
        if try run.matches(row) { try body(&run, row, try run.sortValues(of: row)) }
        return true
      }
    }
  }

  /// The search in an index that has the order of the fetch; nil if there is none.
  private func orderedSearch() throws -> OrderedSearch? {
    guard fetch.usesIndexes, !fetch.sort.isEmpty, entities.count == 1, view.changedObjects(of: entities[0]).isEmpty
    else { return nil }
    return try OrderedSearch(fetch, of: entities[0], view)
  }

  /// The result of a fetch without a predicate, from the index only; nil if no index has the order.
  private func orderedIDs() throws -> [RowID]? {
    if needed == 0 { return [] }
    try view.requireWhole(objectsOf: entities)
    guard fetch.predicate == nil, var search = try orderedSearch() else { return nil }
    let passed = try search.skip(max(0, fetch.offset))
    let numbers = try search.next(needed - passed)
    return numbers.dropFirst(max(0, fetch.offset) - passed).prefix(max(0, fetch.limit))
      .map { RowID(entity: entities[0], number: $0) }
  }

  /// The rows of a fetch that needs few, by an index that has the order. Nil if there is no such index, or if the
  /// predicate matches so few objects that reading all of them is faster.
  private mutating func orderedRows() throws -> [StoredRow]? {
    guard needed <= Self.mostOrdered, var search = try orderedSearch(), conditions.search(of: entities[0], view) == nil
    else { return nil }
    var found: [StoredRow] = []
    var seen = 0
    while found.count < needed, case let numbers = try search.next(100), !numbers.isEmpty {
      if seen > Self.mostSeen(needed) { return nil }
      seen += numbers.count
      for row in try view.rows(numbers.map({ RowID(entity: entities[0], number: $0) })) where try matches(row) {
        found.append(row)
      }
    }
    return cut(found)
  }

  /// If more objects than this are needed, they are sorted instead.
  private static let mostOrdered = 2_000
  /// The number of objects to read through the index before reading and sorting all of them is faster.
  private static func mostSeen(_ needed: Int) -> Int { 1_000 + 10 * needed }

  /// Calls `body` with the objects of an entity that may match, by number, until it returns false.
  private mutating func forEachCandidate(
    of entity: Int, _ body: (inout FetchRun, StoredRow) throws -> Bool
  ) throws {
    guard let search = conditions.search(of: entity, view) else {
      var run = self
      return try view.forEachRow(of: entity) { try body(&run, $0) }
    }
    var ids = try search.candidates(of: entity, view).map { RowID(entity: entity, number: $0) }
    let changed = view.changedObjects(of: entity)
    if !changed.isEmpty { ids = Set(ids).union(changed).sorted() }
    for part in ids.chunks(of: 1_000) {
      for row in try view.rows(Array(part)) { if try !body(&self, row) { return } }
    }
  }

  private mutating func matches(_ row: StoredRow) throws -> Bool {
    let matches = try evaluator?.matches(subjects.subject(row)) ?? true
    try subjects.requireSuccess()
    return matches
  }

  private mutating func sortValues(of row: StoredRow) throws -> [SortValue] {
    if fetch.sort.isEmpty { return [] }
    let subject = subjects.subject(row)
    let values = try fetch.sort.map { $0.sortValue(try sorter.value(of: .keyPath(.subject, $0.path), for: subject)) }
    try subjects.requireSuccess()
    return values
  }
}

extension [StoreSort] {
  /// Whether an object with the left values sorts before an object with the right values; nil if the values are equal.
  package func precede(_ left: [SortValue], _ right: [SortValue]) -> Bool? {
    for (index, sort) in enumerated() where left[index] != right[index] {
      return (left[index] < right[index]) == sort.isAscending
    }
    return nil
  }
}

extension StoreView {
  /// The matching objects, in the order of the fetch; without an order by number.
  package func fetch(_ fetch: StoreFetch) throws -> [StoredRow] {
    var run = FetchRun(fetch, self)
    return try run.rows()
  }

  /// The matching objects in the same order, with their sort values. `content`: the part of a row that is needed.
  package func sorted<Content>(
    _ fetch: StoreFetch, _ content: (StoredRow) -> Content
  ) throws -> [(content: Content, id: RowID, values: [SortValue])] {
    var run = FetchRun(fetch, self)
    return try run.sorted(content)
  }

  /// The identities of the matching objects, in the same order.
  package func fetchIDs(_ fetch: StoreFetch) throws -> [RowID] {
    var run = FetchRun(fetch, self)
    return try run.ids()
  }

  /// The number of matching objects within the offset and limit of the fetch.
  package func count(_ fetch: StoreFetch) throws -> Int {
    var run = FetchRun(fetch, self)
    return try run.count()
  }
}
