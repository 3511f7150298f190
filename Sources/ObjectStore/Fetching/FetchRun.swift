import LocalCloudPlatform
import LocalCloudPredicateFormat
import LocalCloudStorage

/// Answers one ``StoreFetch``.
struct FetchRun {
  /// The retained part of a matching row, with its sort values.
  private struct Found<Content> {
    var content: Content
    var id: RowID
    var values: [SortValue]
  }

  private let fetch: StoreFetch
  private let view: StoreView
  let subjects: RowSubjects
  /// One for each entity that is not abstract.
  private let finders: [CandidateFinder]
  /// The number of rows up to the end of the page.
  private let needed: Int
  private var evaluator: PredicateEvaluator?
  private var sorter = PredicateEvaluator(.constant(true))

  init(_ fetch: StoreFetch, _ view: StoreView) {
    self.fetch = fetch
    self.view = view
    subjects = RowSubjects(view)
    let conditions = FetchConditions(fetch.usesIndexes ? fetch.predicate : nil, store: view.store.identifier)
    finders = Set(fetch.entities).sorted().filter { !view.schema.entities[$0].isAbstract }
      .map { CandidateFinder($0, conditions, view) }
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
    if needed == 0 { return [] }
    try view.requireWhole(objectsOf: entities)
    if let ids = try orderedIDs() { return try view.rows(ids) }
    if let ordered = try orderedRows() { return ordered }
    return try found { $0 }
  }

  /// The identities of the matching objects. Rows are read only if the predicate or the order needs them, and are not
  /// cached.
  mutating func ids() throws -> [RowID] {
    if needed == 0 { return [] }
    try view.requireWhole(objectsOf: entities)
    if fetch.predicate == nil, fetch.sort.isEmpty {
      return cut(try entities.flatMap { try view.ids(of: $0) }.sorted())
    }
    if let ids = try orderedIDs() { return ids }
    if let ordered = try orderedRows() { return ordered.map(\.id) }
    return try found(\.id)
  }

  mutating func count() throws -> Int {
    try view.requireWhole(objectsOf: entities)
    var count = 0
    if fetch.predicate == nil {
      for entity in entities { count += Int(clamping: try view.rowCount(of: entity)) }
      return cut(count)
    }
    for finder in finders {
      try forEachCandidate(finder) { run, row in
        if try run.holds(run.subjects.subject(row)) { count += 1 }
        return count < run.needed
      }
    }
    return cut(count)
  }

  /// Calls `body` with each matching object and its sort values, in the order of entity and number.
  mutating func forEachMatch(_ body: (inout FetchRun, StoredRow, [SortValue]) throws -> Void) throws {
    try view.requireWhole(objectsOf: entities)
    for finder in finders {
      try forEachCandidate(finder) { run, row in
        if let values = try run.sortValues(ofMatching: row) { try body(&run, row, values) }
        return true
      }
    }
  }

  private mutating func found<Content>(_ content: (StoredRow) -> Content) throws -> [Content] {
    var found: [Found<Content>] = []
    // Without an order, the first rows of each entity are enough.
    let most = fetch.sort.isEmpty ? needed : .max
    for finder in finders {
      var count = 0
      try forEachCandidate(finder) { run, row in
        if let values = try run.sortValues(ofMatching: row) {
          found.append(Found(content: content(row), id: row.id, values: values))
          count += 1
        }
        return count < most
      }
    }
    found.sort { left, right in
      fetch.sort.precede(left.values, right.values) ?? (left.id < right.id)
    }
    return cut(found.map(\.content))
  }

  /// An index that has the order of the fetch, as a search in that order; nil if there is none.
  private func orderedSearch() throws -> (finder: CandidateFinder, search: OrderedSearch)? {
    guard fetch.usesIndexes, !fetch.sort.isEmpty, let finder = finders.first, finders.count == 1,
      view.changedObjects(of: finder.entity).isEmpty, let search = try OrderedSearch(fetch, of: finder.entity, view)
    else { return nil }
    return (finder, search)
  }

  /// The result of a fetch without a predicate, from the index only; nil if no index has the order.
  private func orderedIDs() throws -> [RowID]? {
    guard fetch.predicate == nil, case (let finder, var search)? = try orderedSearch() else { return nil }
    let passed = try search.skip(max(0, fetch.offset))
    let numbers = try search.next(needed - passed)
    return numbers.dropFirst(max(0, fetch.offset) - passed).prefix(max(0, fetch.limit))
      .map { RowID(entity: finder.entity, number: $0) }
  }

  /// The rows of a fetch that needs few, by an index that has the order. Nil if there is no such index, or if the
  /// predicate matches so few objects that reading all of them is faster.
  private mutating func orderedRows() throws -> [StoredRow]? {
    guard needed <= Self.mostOrdered, case (let finder, var search)? = try orderedSearch(), !finder.hasIndex else {
      return nil
    }
    var found: [StoredRow] = []
    var seen = 0
    while found.count < needed, case let numbers = try search.next(100), !numbers.isEmpty {
      if seen > Self.mostSeen(needed) { return nil }
      seen += numbers.count
      for row in try view.rows(numbers.map({ RowID(entity: finder.entity, number: $0) })) {
        if try holds(subjects.subject(row)) { found.append(row) }
      }
    }
    return cut(found)
  }

  /// If more objects than this are needed, they are sorted instead.
  private static let mostOrdered = 2_000
  /// The number of objects to read through the index before reading and sorting all of them is faster.
  private static func mostSeen(_ needed: Int) -> Int { 1_000 + 10 * needed }

  private var entities: [Int] { finders.map(\.entity) }

  /// Calls `body` with the objects of an entity that may match, by number, until it returns false.
  private mutating func forEachCandidate(
    _ finder: CandidateFinder, _ body: (inout FetchRun, StoredRow) throws -> Bool
  ) throws {
    guard let numbers = try finder.candidates() else {
      var run = self
      return try view.forEachRow(of: finder.entity) { try body(&run, $0) }
    }
    var ids = numbers.map { RowID(entity: finder.entity, number: $0) }
    let changed = view.changedObjects(of: finder.entity)
    if !changed.isEmpty { ids = Set(ids).union(changed).sorted() }
    for part in ids.chunks(of: 1_000) {
      for row in try view.rows(Array(part)) { if try !body(&self, row) { return } }
    }
  }

  /// The row's sort values, if the predicate holds; otherwise nil.
  private mutating func sortValues(ofMatching row: StoredRow) throws -> [SortValue]? {
    guard evaluator != nil || !fetch.sort.isEmpty else { return [] }
    let subject = subjects.subject(row)
    guard try holds(subject) else { return nil }
    var values: [SortValue] = []
    for sort in fetch.sort {
      values.append(sort.sortValue(try sorter.value(of: .keyPath(.subject, sort.path), for: subject)))
    }
    try subjects.requireSuccess()
    return values
  }

  private mutating func holds(_ subject: PredicateValue) throws -> Bool {
    let holds = try evaluator?.matches(subject) ?? true
    try subjects.requireSuccess()
    return holds
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
