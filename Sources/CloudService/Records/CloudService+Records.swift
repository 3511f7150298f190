import CloudStore
import Platform

extension CloudService {
  // MARK: Modify

  /// Saves and deletes records, zone by zone. Item errors stand in the response; what refuses the whole request is thrown.
  package func modifyRecords(
    _ request: ModifyRecordsRequest, by caller: Caller
  ) throws(ServiceError) -> ModifyRecordsResponse {
    try perform(.modifyRecords, by: caller) {
      let account = try account(of: caller)
      let request = request.namingOwnZonesAlike(account)
      try checkRequest(request)
      var response = ModifyRecordsResponse(
        saves: Array(repeating: .failure(.batchFailed), count: request.saves.count),
        deletes: Array(repeating: .failure(.batchFailed), count: request.deletes.count))
      for group in zoneGroups(request) {
        do {
          try modify(group, request, account, caller, &response)
        } catch {
          // What refuses a zone refuses each of its items; other zones go on.
          let error = ServiceError(describing: error)
          for place in group.saves { response.saves[place] = .failure(error) }
          for place in group.deletes { response.deletes[place] = .failure(error) }
        }
      }
      try settings.interceptor.afterCommit(.modifyRecords, caller)
      return response
    }
  }

  /// Checks that CloudKit makes before anything is sent (sharing.md 2.2, records.md 5.4, 5.7).
  ///
  /// - Assumption: 400 items and 2 MB are the limits of a request, 1 MB that of a record, by the sizes of keys and values.
  private func checkRequest(_ request: ModifyRecordsRequest) throws {
    try NameRules.check(items: request.saves.count + request.deletes.count)
    let names = request.saves.map(\.id) + request.deletes
    guard Set(names).count == names.count else { throw ServiceError.invalid("You can't save the same record twice") }
    let size = request.saves.reduce(0) { total, save in
      save.fields.reduce(total) { $0 + $1.key.utf8.count + ($1.value?.size ?? 0) }
    }
    guard size <= NameRules.maximumRequestBytes || request.saves.count == 1 else {
      throw ServiceError.limitExceeded(
        "The request holds \(size) bytes; at most \(NameRules.maximumRequestBytes) fit in one")
    }
    for save in request.saves where save.type == Record.shareType && save.changeTag == nil {
      guard let root = save.share?.root else { continue }
      guard request.saves.contains(where: { $0.id.name == root && $0.id.zone == save.id.zone }) else {
        throw ServiceError.missingRoot
      }
      guard request.atomic else {
        throw ServiceError.invalid("A new share and its rootRecord must be saved atomically")
      }
    }
  }

  private struct ZoneGroup {
    var zone: ZoneIdentifier
    var saves: [Int] = []
    var deletes: [Int] = []
  }

  private func zoneGroups(_ request: ModifyRecordsRequest) -> [ZoneGroup] {
    var groups: [ZoneGroup] = []
    var places: [ZoneIdentifier: Int] = [:]
    func place(_ zone: ZoneIdentifier) -> Int {
      if let place = places[zone] { return place }
      groups.append(ZoneGroup(zone: zone))
      places[zone] = groups.count - 1
      return groups.count - 1
    }
    for (index, save) in request.saves.enumerated() { groups[place(save.id.zone)].saves.append(index) }
    for (index, delete) in request.deletes.enumerated() { groups[place(delete.zone)].deletes.append(index) }
    return groups
  }

  private func modify(
    _ group: ZoneGroup, _ request: ModifyRecordsRequest, _ account: Account, _ caller: Caller,
    _ response: inout ModifyRecordsResponse
  ) throws {
    let address = try address(group.zone, in: request.scope, as: account, caller)
    let store = try store(address, caller)
    if group.saves.contains(where: { request.saves[$0].id.name.string == account.userRecordName }) {
      try ensureUserRecord(account, address, caller)
    }
    let batch = try store.write(patience(caller)) { transaction in
      let batch = try ZoneBatch(
        self, caller, account, address, transaction, policy: request.policy, atomic: request.atomic)
      try batch.run(group.saves.map { request.saves[$0] }, deleting: group.deletes.map { request.deletes[$0].name })
      return batch
    }
    for (place, answer) in zip(group.saves, batch.answers) { response.saves[place] = answer }
    for (place, delete) in zip(group.deletes, batch.deletes) { response.deletes[place] = delete.result }
    // The batch is committed: that this note could not be kept must not look as if nothing had been saved.
    if let data = request.clientChangeTokenData { try? rememberClientData(data, address, caller, account) }
  }

  // MARK: Fetch

  /// Records by ID, each with its own outcome, in the order asked for.
  package func fetchRecords(
    _ request: FetchRecordsRequest, by caller: Caller
  ) throws(ServiceError) -> [Result<Record, ServiceError>] {
    try perform(.fetchRecords, by: caller) {
      try NameRules.check(items: request.records.count)
      let account = try account(of: caller, reading: request.scope)
      var results = [Result<Record, ServiceError>](
        repeating: .failure(.unknownItem("")), count: request.records.count)
      var groups: [ZoneIdentifier: [Int]] = [:]
      for (place, record) in request.records.enumerated() { groups[record.zone, default: []].append(place) }
      for (zone, places) in groups {
        do {
          let names = places.map { request.records[$0].name }
          let found = try fetch(names, zone, request, account, caller)
          for (place, result) in zip(places, found) { results[place] = result }
        } catch {
          for place in places { results[place] = .failure(ServiceError(describing: error)) }
        }
      }
      return results
    }
  }

  private func fetch(
    _ names: [ExactName], _ zone: ZoneIdentifier, _ request: FetchRecordsRequest, _ account: Account?, _ caller: Caller
  ) throws -> [Result<Record, ServiceError>] {
    let address = try address(zone, in: request.scope, as: account, caller)
    let store = try store(address, caller)
    if address.isDefault, address.role != .participant {
      for name in names {
        if let user = try name.string.hasPrefix("_") ? self.account(matching: .userRecordName(name.string)) : nil,
          address.role == .publicUser || user == account
        {
          try ensureUserRecord(user, address, caller)
        }
      }
    }
    return try store.read(patience(caller)) { view in
      let access = try access(ofParticipant: account, address, view)
      return try names.map { name -> Result<Record, ServiceError> in
        do {
          guard let stored = try view.record(name) else { return .failure(.unknownItem(name)) }
          if let access, try !access.shows(name, view) {
            return .failure(.unknownItem(name))
          }
          return .success(try present(stored, address, to: account).keeping(request.desiredKeys))
        } catch  where Self.concernsOneFile(error) {
          // A file that can't be read is that record's trouble alone.
          return .failure(ServiceError(describing: error))
        }
      }
    }
  }

  /// Whether others can still be read.
  private static func concernsOneFile(_ error: any Error) -> Bool {
    switch error {
    case is ServiceError, StoreError.damaged, StoreError.nameCollision: true
    case let error as SystemError: error.isForeign || error.isDenied
    default: false
    }
  }

  /// A stored record as this caller may see it.
  func present(_ stored: StoredRecord, _ address: ZoneAddress, to account: Account?) throws(ServiceError) -> Record {
    var record = try Record(stored, zone: address.identifier)
    if let details = record.shareDetails { record.shareDetails = details.presented(to: account) }
    return record
  }

  // MARK: Query

  /// All records of one type in one zone.
  ///
  /// - Difference: needs no index on `recordName`, and sees the save before it; a type that was never saved is empty,
  ///   where iCloud answers `unknownItem`.
  package func queryRecords(
    _ request: QueryRecordsRequest, by caller: Caller
  ) throws(ServiceError) -> QueryRecordsResponse {
    try perform(.queryRecords, by: caller) {
      if request.recordType == Record.userType || request.recordType == Record.shareType {
        throw ServiceError(.permissionFailure, "Can't query system types", internalCode: 2007)
      }
      try NameRules.check(type: request.recordType)
      let account = try account(of: caller, reading: request.scope)
      if request.zone == nil, request.scope == .shared {
        throw ServiceError.invalid("SharedDB does not support Zone Wide queries")
      }
      if request.zone == nil, request.scope == .private {
        throw ServiceError.notYet("queries over all zones of a database")
      }
      let address = try address(request.zone ?? .default, in: request.scope, as: account, caller)
      let store = try store(address, caller)
      let limit = request.limit > 0 ? min(request.limit, 200) : 100
      return try store.read(patience(caller)) { view in
        try page(request, limit, view, address, account)
      }
    }
  }

  private func page(
    _ request: QueryRecordsRequest, _ limit: Int, _ view: ZoneView, _ address: ZoneAddress, _ account: Account?
  ) throws -> QueryRecordsResponse {
    let incarnation = try view.properties().incarnation
    var last: ExactName?
    if let cursor = request.cursor {
      let token = try Token(cursor)
      guard token["kind"]?.string == "query", token["zone"]?.string == incarnation,
        token["type"]?.string == request.recordType, let name = token["after"]?.string
      else { throw ServiceError.invalid("The cursor belongs to another query") }
      last = ExactName(name)
    }
    let access = try access(ofParticipant: account, address, view)
    var records: [Record] = []
    while true {
      let names = try view.records(ofType: request.recordType, after: last, limit: limit + 1)
      for name in names {
        last = name
        guard let stored = try view.record(name) else { continue }
        if let access, try !access.shows(name, view) { continue }
        // Only what may be seen makes another page, and only that is named in a cursor.
        if records.count == limit {
          let token: JSONObject = [
            "after": .string(records.last?.id.name.string ?? ""), "kind": "query", "type": .string(request.recordType),
            "zone": .string(incarnation),
          ]
          return QueryRecordsResponse(records: records, cursor: Token.text(token))
        }
        records.append(try present(stored, address, to: account).keeping(request.desiredKeys))
      }
      if names.count <= limit { return QueryRecordsResponse(records: records, cursor: nil) }
    }
  }
}

extension ModifyRecordsRequest {
  /// The caller's own zones have three spellings; a batch must not fall apart over them (records.md 2.2).
  fileprivate func namingOwnZonesAlike(_ account: Account) -> ModifyRecordsRequest {
    func alike(_ zone: ZoneIdentifier) -> ZoneIdentifier {
      zone.isOwn(of: account) ? ZoneIdentifier(name: zone.name) : zone
    }
    var result = self
    for place in saves.indices { result.saves[place].id.zone = alike(saves[place].id.zone) }
    for place in deletes.indices { result.deletes[place].zone = alike(deletes[place].zone) }
    return result
  }
}
