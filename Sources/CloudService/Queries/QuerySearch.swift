import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// One page of a query: reads the records of one zone after another and collects the first matches.
struct QuerySearch {
  struct Found {
    var position: QueryPosition
    var id: RecordIdentifier
    /// Nil for the extra record that only shows that there are more.
    var result: Result<Record, ServiceError>?
    /// The incarnation of the zone that holds it.
    var incarnation: String
  }

  private struct Candidate {
    var position: QueryPosition
    var name: ExactName
    /// The record, or the reason why it can't be read.
    var record: Result<(Record, StoredRecord), ServiceError>

    var isReadable: Bool { (try? record.get()) != nil }
  }

  private let query: Query
  private let type: SchemaRecordType?
  private let rules: QueryRules
  private let indexing: QueryIndexing
  private let order: QueryOrder
  private let limit: Int
  private let cursor: QueryCursor?
  private let isZoneWide: Bool

  /// The number of records on a page if the caller sets no limit.
  static let defaultLimit = 100
  static let maximumLimit = 200

  init(
    _ request: QueryRecordsRequest, _ type: SchemaRecordType?, _ rules: QueryRules, _ indexing: QueryIndexing,
    isZoneWide: Bool
  ) throws(ServiceError) {
    query = request.query
    self.type = type
    self.rules = rules
    self.indexing = indexing
    self.isZoneWide = isZoneWide
    order = QueryOrder(query.sorts, type: type)
    limit = request.limit > 0 ? min(request.limit, Self.maximumLimit) : Self.defaultLimit
    cursor = try request.cursor.map { (text) throws(ServiceError) in try QueryCursor(text, of: request.query) }
  }

  /// Whether the zone may hold results of this page. Without sort keys, zones follow one another, and a cursor skips
  /// those before its own.
  func reaches(_ address: ZoneAddress) -> Bool {
    guard isZoneWide, query.sorts.isEmpty, let cursor else { return true }
    return cursor.position.zone <= address.path.zone
  }

  func isFull(_ count: Int) -> Bool { query.sorts.isEmpty && count > limit }

  /// Throws if the cursor is from another incarnation of the zone: it isn't valid in a zone created later under the
  /// same name.
  func checkCursor(_ view: ZoneView) throws {
    guard let cursor else { return }
    let expected = isZoneWide ? nil : try view.properties().incarnation
    guard cursor.incarnation == expected else { throw ServiceError.invalid("The cursor belongs to another query") }
  }

  /// The first matching records of the zone, up to one more than a page holds. `isSeen`: whether the caller may see a
  /// record; `mayReveal`: whether the caller may know of an unreadable one.
  func find(
    in view: ZoneView, at address: ZoneAddress, user: String?, isSeen: (ExactName, StoredRecord) throws -> Bool,
    mayReveal: (ExactName) throws -> Bool,
    present: (Record, StoredRecord) throws(ServiceError) -> Record
  ) throws -> [Found] {
    let incarnation = try view.properties().incarnation
    if query.condition.isNever { return [] }
    let matcher = QueryMatcher(query.condition, in: address.identifier, user: user, rules: rules, type: type)
    let after = position(in: address)
    let planner = QueryPlanner(query, type, rules, indexing, user: user)
    let first = try candidates(planner.plan(in: view), in: view, at: address, after: after) { name in
      // An index may still list a record that was changed or deleted.
      let found: Candidate?
      do {
        guard let stored = try view.record(name), stored.type == query.recordType, try isSeen(name, stored) else {
          return nil
        }
        found = candidate(name, stored, matcher, address, file: view.zone.recordPath(name))
      } catch  where RecordService.concernsOneFile(error) {
        guard try mayReveal(name) else { return nil }
        found = unreadable(name, ServiceError(describing: error), address)
      }
      guard let found else { return nil }
      return after.map { order.precedes($0, found.position) } ?? true ? found : nil
    }
    return first.enumerated().map { index, candidate in
      Found(
        position: candidate.position,
        id: RecordIdentifier(name: candidate.name, zone: address.identifier),
        result: index < limit ? result(candidate, present) : nil, incarnation: incarnation)
    }
  }

  /// The first candidates that `look` returns, in the query's order.
  private func candidates(
    _ plan: QueryPlan, in view: ZoneView, at address: ZoneAddress, after: QueryPosition?,
    _ look: (ExactName) throws -> Candidate?
  ) throws -> [Candidate] {
    var first: [Candidate] = []
    func add(_ name: ExactName) throws -> Bool {
      guard let candidate = try look(name) else { return true }
      if !query.sorts.isEmpty {
        _ = keep(candidate, in: &first)
        return true
      }
      first.append(candidate)
      return first.count <= limit
    }
    let last = query.sorts.isEmpty && after?.zone == address.path.zone ? after?.name : nil
    let page = max(limit + 1, 64)
    switch plan {
    case .all:
      try view.forEachName(ofType: query.recordType, after: last, atOnce: page, add)
    case .within(let part) where part.isByName:
      try view.forEachName(in: part, after: last, atOnce: page, add)
    case .within(let part) where part.hasMany && query.sorts.isEmpty:
      // If many records match, some are among the next ones by name. If not, reading those costs no more than a few
      // pages.
      var (rest, seen, isDone) = (min(10 * page, indexing.fewMatches), last, true)
      try view.forEachName(ofType: query.recordType, after: last, atOnce: page) { name in
        if rest == 0 {
          isDone = false
          return false
        }
        (rest, seen) = (rest - 1, name)
        return try add(name)
      }
      if !isDone { try view.forEachName(in: part, after: seen, atOnce: indexing.namesAtOnce, add) }
    case .within(let part):
      try view.forEachName(in: part, after: last, atOnce: indexing.namesAtOnce, add)
    case .inOrder(let field, let part):
      let most = part == nil ? Int.max : indexing.fewMatches
      if let first = try candidates(inOrderOf: field, atMost: most, in: view, after: after, look) { return first }
      if let part {
        try view.forEachName(in: part, after: nil, atOnce: indexing.namesAtOnce, add)
      } else {
        try view.forEachName(ofType: query.recordType, after: nil, atOnce: page, add)
      }
    }
    return first
  }

  /// Reads the index of the first sort key until a page is full and the following entries belong after it; nil if that
  /// takes more than `most` records.
  private func candidates(
    inOrderOf field: IndexedField, atMost most: Int, in view: ZoneView, after: QueryPosition?,
    _ look: (ExactName) throws -> Candidate?
  ) throws -> [Candidate]? {
    var first: [Candidate] = []
    var rest = most
    var group: [UInt8] = []
    let start = after.map { FieldIndexKey.bytes(of: $0.keys[0]) }
    let hasNames = query.sorts.count == 1 && start.map { FieldIndexKey.isWhole($0) } ?? false
    try view.forEachEntry(
      of: field, ascending: query.sorts[0].ascending, from: start, hasNames ? after?.name : nil
    ) { entry in
      let isAlways = entry.value.elementsEqual(FieldIndexKey.always)
      let value = isAlways ? FieldIndexKey.missing : Array(entry.value)
      if value != group, first.count > limit { return false }
      group = value
      rest -= 1
      if rest < 0 { return false }
      guard let candidate = try look(entry.name) else { return true }
      // Its position follows from its value, and the value can't be read: fall back to reading all records.
      if !candidate.isReadable {
        rest = -1
        return false
      }
      // An entry with another value than the record's is outdated.
      guard FieldIndexKey.bytes(of: candidate.position.keys[0]) == value else { return true }
      if keep(candidate, in: &first) { return true }
      // Without another sort key, records with the same value are in the order of their names.
      return query.sorts.count > 1 || isAlways || !FieldIndexKey.isWhole(value)
    }
    return rest < 0 ? nil : first
  }

  /// Nil for a record that does not match. An unreadable record may match, so its failure is reported.
  private func candidate(
    _ name: ExactName, _ stored: StoredRecord, _ matcher: QueryMatcher, _ address: ZoneAddress,
    file: @autoclosure () -> String
  ) -> Candidate? {
    let zone = address.path.zone
    do throws(ServiceError) {
      let record = try Record(stored, zone: address.identifier, file: file())
      guard matcher.matches(record) else { return nil }
      return Candidate(
        position: order.position(of: record, name, in: zone), name: stored.name, record: .success((record, stored)))
    } catch {
      return unreadable(name, error, address)
    }
  }

  private func unreadable(_ name: ExactName, _ error: ServiceError, _ address: ZoneAddress) -> Candidate {
    Candidate(
      position: order.position(of: nil, name, in: address.path.zone), name: name, record: .failure(error))
  }

  /// Inserts a candidate at its position in the order. Returns false for one after a full page.
  private func keep(_ candidate: Candidate, in first: inout [Candidate]) -> Bool {
    if first.count > limit, let last = first.last, !order.precedes(candidate.position, last.position) { return false }
    let index = first.partitionIndex { !order.precedes($0.position, candidate.position) }
    first.insert(candidate, at: index)
    if first.count > limit + 1 { first.removeLast() }
    return true
  }

  private func result(
    _ candidate: Candidate, _ present: (Record, StoredRecord) throws(ServiceError) -> Record
  ) -> Result<Record, ServiceError> {
    do throws(ServiceError) {
      let (record, stored) = try candidate.record.get()
      return .success(try present(record, stored))
    } catch {
      return .failure(error)
    }
  }

  private func position(in address: ZoneAddress) -> QueryPosition? {
    guard var position = cursor?.position else { return nil }
    if !isZoneWide { position.zone = address.path.zone }
    return position
  }

  /// Merges the records that were found in all zones into one page.
  func response(_ found: [Found]) -> QueryRecordsResponse {
    let page = found.sorted { order.precedes($0.position, $1.position) }
    var response = QueryRecordsResponse(records: [], cursor: nil)
    for found in page.prefix(limit) {
      switch found.result {
      case .success(let record)?: response.records.append(record)
      case .failure(let error)?: response.failed.append(ZoneChanges.Failure(record: found.id, error: error))
      case nil: break
      }
    }
    if page.count > limit {
      let last = page[limit - 1]
      response.cursor = QueryCursor(position: last.position, incarnation: isZoneWide ? nil : last.incarnation)
        .text(of: query)
    }
    return response
  }
}
