import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Records: saving, fetching and listing them.
package struct RecordService: ServiceSubject {
  let service: CloudService
}

extension RecordService {
  // MARK: Modify

  /// Saves and deletes records, zone by zone. The response holds an error for each failed item; an error that refuses
  /// the whole request is thrown.
  ///
  /// - Returns: one result for each save and deletion, in the order of the request.
  /// - Throws: `invalidArguments` if the request names a record twice, or saves a new share without its root or not
  ///   atomically; `limitExceeded` for more than 400 items or 2 MB; `unknownItem` for a type that must not be created;
  ///   errors of the account.
  package func modifyRecords(
    _ request: ModifyRecordsRequest, by caller: Caller
  ) throws(ServiceError) -> ModifyRecordsResponse {
    try perform(.modifyRecords, by: caller, on: RequestSubject(request), errors: RequestSubject.report) { faults in
      let account = try service.accounts.account(of: caller)
      let request = request.namingOwnZonesAlike(account)
      try checkRequest(request)
      try checkTypes(request, caller)
      var response = ModifyRecordsResponse(
        saves: Array(repeating: .failure(.batchFailed), count: request.saves.count),
        deletes: Array(repeating: .failure(.batchFailed), count: request.deletes.count))
      for group in zoneGroups(request) {
        do {
          try modify(group, request, account, caller, faults, &response)
        } catch {
          // An error that refuses a zone fails each of its items; the other zones are still processed.
          let error = ServiceError(describing: error)
          for index in group.saves { response.saves[index] = .failure(error) }
          for index in group.deletes { response.deletes[index] = .failure(error) }
        }
      }
      try settings.interceptor.afterCommit(.modifyRecords, caller)
      return response
    }
  }

  /// Performs the checks that CloudKit makes before it sends a request ([share-create-1], [record-batch-5],
  /// [record-limit-3]).
  ///
  /// - Assumption: 400 items and 2 MB are the limits of a request, 1 MB that of a record, by the sizes of keys and
  ///   values.
  private func checkRequest(_ request: ModifyRecordsRequest) throws {
    try NameRules.check(items: request.saves.count + request.deletes.count)
    let (saved, deleted) = (Set(request.saves.map(\.id)), Set(request.deletes))
    guard saved.count == request.saves.count else {
      throw ServiceError.invalidRequest("You can't save the same record twice")
    }
    guard deleted.count == request.deletes.count else {
      throw ServiceError.invalidRequest("You can't delete the same record twice")
    }
    guard saved.isDisjoint(with: deleted) else {
      throw ServiceError.invalidRequest("You can't save and delete the same record in one request")
    }
    let size = request.saves.reduce(0) { $0 + $1.size }
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

  /// Refuses types that the schema lacks, also in development, unless the request may create types ([schema-growth-7]).
  private func checkTypes(_ request: ModifyRecordsRequest, _ caller: Caller) throws {
    if request.makesTypes { return }
    let schema = try service.schemas.storedSchema(caller.container, caller.environment)
    for save in request.saves where schema.types[save.type] == nil {
      throw ServiceError.typeNotFound(save.type).naming(deploymentIn: caller.environment)
    }
  }

  private struct ZoneGroup {
    var zone: ZoneIdentifier
    var saves: [Int] = []
    var deletes: [Int] = []
  }

  private func zoneGroups(_ request: ModifyRecordsRequest) -> [ZoneGroup] {
    var groups: [ZoneGroup] = []
    var indexes: [ZoneIdentifier: Int] = [:]
    func groupIndex(_ zone: ZoneIdentifier) -> Int {
      if let index = indexes[zone] { return index }
      groups.append(ZoneGroup(zone: zone))
      indexes[zone] = groups.count - 1
      return groups.count - 1
    }
    for (index, save) in request.saves.enumerated() { groups[groupIndex(save.id.zone)].saves.append(index) }
    for (index, delete) in request.deletes.enumerated() { groups[groupIndex(delete.zone)].deletes.append(index) }
    return groups
  }

  private func modify(
    _ group: ZoneGroup, _ request: ModifyRecordsRequest, _ account: Account, _ caller: Caller, _ faults: RequestFaults,
    _ response: inout ModifyRecordsResponse
  ) throws {
    let address = try service.zones.address(group.zone, in: request.scope, as: account, caller)
    try checkNewShares(group, request, address)
    let store = try service.zones.store(address, caller)
    if group.saves.contains(where: { request.saves[$0].id.name.string == account.userRecordName }) {
      try ensureUserRecord(account, address, caller)
    }
    let group = try remaining(of: group, request, account, address, store, caller, &response)
    if group.saves.isEmpty, group.deletes.isEmpty { return }
    let intake = AssetIntake(request, group.saves, in: store, service, caller)
    defer { intake.end() }
    // A participant may upload files only into a zone that is shared with them.
    if !intake.wanted.isEmpty, address.role == .participant {
      _ = try store.read(waitPolicy(caller)) { try service.sharing.access(of: account, address, $0) }
    }
    let planner = try service.zones.reportingEnd(of: address) {
      try commit(intake, request, account, caller) { keyProvider in
        try store.write(waitPolicy(caller)) { transaction in
          let planner = try ModifyRecordsPlanner(
            ZoneChange(service, caller, account, address, transaction, keys: keyProvider),
            group.saves.map { request.saves[$0] },
            deleting: group.deletes.map { request.deletes[$0].name }, policy: request.policy, atomic: request.atomic,
            assets: intake, faults: faults)
          try planner.run()
          return planner
        }
      }
    }
    guard let planner else {
      for index in group.saves { response.saves[index] = .failure(intake.failure(of: index) ?? .batchFailed) }
      return
    }
    for (index, answer) in zip(group.saves, planner.answers) { response.saves[index] = answer }
    for (index, delete) in zip(group.deletes, planner.plan.deletes) {
      response.deletes[index] = delete.result
      if delete.effect == .nothing, !delete.result.isFailure { response.absent.insert(index) }
    }
    // The batch is committed. A failure to store the client's token data must not look as if the batch had failed.
    if let data = request.clientChangeTokenData { try? rememberClientData(data, address, caller, account) }
  }

  /// Meets the plan's needs before the zone is written, then writes the zone; repeats while the plan turns out to need
  /// more. The needs of a plan are known only under the zone's lock, but must be met without it: uploads take long, and
  /// the locks of the schema and of accounts are acquired before a zone's lock.
  ///
  /// Returns nil if a file can't be uploaded and the request is atomic: the client's own checks then fail all records
  /// of the zone, also in the default zone ([record-batch-6]).
  private func commit(
    _ intake: AssetIntake, _ request: ModifyRecordsRequest, _ account: Account, _ caller: Caller,
    _ write: (PrivateKeyProvider) throws -> ModifyRecordsPlanner
  ) throws -> ModifyRecordsPlanner? {
    var needs = ModifyRecordsPlan.Needs(files: intake.wanted)
    // Each round provides the needs of the next one. Only a schema that other processes repeatedly reduce would repeat
    // this forever.
    for _ in 0..<32 {
      let keyProvider = PrivateKeyProvider(service, account, caller)
      try intake.upload(needs.files)
      if request.atomic, intake.hasFailed { return nil }
      if !needs.growth.isEmpty { try service.schemas.growSchema(needs.growth, by: caller) }
      try service.keys.makeKeyPairs(of: needs.keyPairs, keyProvider, caller)
      let planner = try write(keyProvider)
      keyProvider.keepBorrowed()
      needs = planner.plan.needs
      if needs.isEmpty { return planner }
    }
    throw ServiceError(
      .serviceUnavailable, "The schema of \(caller.container) is being changed all the time.", retryAfter: 1)
  }

  /// Refuses a new share where the zone can't hold shares, together with all other saves in that zone. Otherwise the
  /// root would be saved, although the caller meant it only for the share.
  ///
  /// - Assumption: a new share in the public database or in a default zone fails all items of that zone, with
  ///   `badDatabase` or `invalidArguments`; nothing is saved, not even the root.
  private func checkNewShares(_ group: ZoneGroup, _ request: ModifyRecordsRequest, _ address: ZoneAddress) throws {
    let isNew = group.saves.contains { index in
      request.saves[index].type == Record.shareType && request.saves[index].changeTag == nil
    }
    guard isNew else { return }
    if address.role == .publicUser { throw ServiceError.shareInPublicDatabase }
    if address.role == .owner, address.isDefault { throw ServiceError.noSharing(in: address.identifier) }
  }

  /// The items of a resumed long-lived operation that the earlier process had not completed. Completed items are
  /// answered with the zone's present state.
  private func remaining(
    of group: ZoneGroup, _ request: ModifyRecordsRequest, _ account: Account, _ address: ZoneAddress,
    _ store: ZoneStore, _ caller: Caller, _ response: inout ModifyRecordsResponse
  ) throws -> ZoneGroup {
    guard let operation = caller.operation, operation.life == .resumed else { return group }
    return try reading(store, address, account, caller) { view, keys in
      let done = try service.devices.changes(of: operation.id, in: view)
      if done.isEmpty { return group }
      var rest = ZoneGroup(zone: group.zone)
      for index in group.saves {
        let name = request.saves[index].id.name
        // A save without a line in the log failed by itself. In an atomic batch it can't have failed, as the batch was
        // committed.
        guard done[name] != nil else {
          rest.saves.append(index)
          continue
        }
        response.saves[index] =
          try view.record(name).map { .success(try present($0, address, to: account, keys)) }
          ?? .failure(.unknownItem(name))
      }
      // A deletion without a line found no record to delete. That is a success as well.
      for index in group.deletes { response.deletes[index] = .success(()) }
      return rest
    }
  }

  // MARK: Fetch

  /// Fetches records by ID, each with its own outcome, in the order of the request.
  ///
  /// - Throws: `limitExceeded` for more than 400 IDs; errors of the account. Errors of a zone are results of its
  ///   records.
  package func fetchRecords(
    _ request: FetchRecordsRequest, by caller: Caller
  ) throws(ServiceError) -> [Result<Record, ServiceError>] {
    try perform(.fetchRecords, by: caller, on: RequestSubject(request), errors: RequestSubject.report) { faults in
      let account = try service.accounts.account(of: caller, reading: request.scope)
      try NameRules.check(items: request.records.count)
      var results = [Result<Record, ServiceError>](
        repeating: .failure(.unknownItem("")), count: request.records.count)
      var groups: [ZoneIdentifier: [Int]] = [:]
      for (index, record) in request.records.enumerated() { groups[record.zone, default: []].append(index) }
      for (zone, indexes) in groups {
        do {
          let names = indexes.map { request.records[$0].name }
          let found = try fetch(names, zone, request, account, caller)
          for (index, result) in zip(indexes, found) { results[index] = result }
        } catch {
          for index in indexes { results[index] = .failure(ServiceError(describing: error)) }
        }
      }
      for (index, record) in request.records.enumerated() {
        if let error = faults.error(of: record) { results[index] = .failure(error) }
      }
      return results
    }
  }

  /// Fetches records of one zone.
  func fetch(
    _ names: [ExactName], _ zone: ZoneIdentifier, _ request: FetchRecordsRequest, _ account: Account?, _ caller: Caller
  ) throws -> [Result<Record, ServiceError>] {
    let address = try service.zones.address(zone, in: request.scope, as: account, caller)
    let store = try service.zones.store(address, caller)
    if address.isDefault, address.role != .participant {
      for name in names {
        if let user = try name.string.hasPrefix("_")
          ? service.accounts.account(matching: .userRecordName(name.string)) : nil,
          address.role == .publicUser || user == account
        {
          try ensureUserRecord(user, address, caller)
        }
      }
    }
    return try reading(store, address, account, caller) { view, keys in
      let access = try service.sharing.access(ofParticipant: account, address, view)
      let grants = try service.schemas.grants(address, caller)
      return try names.map { name -> Result<Record, ServiceError> in
        do {
          guard let stored = try view.record(name) else { return .failure(.unknownItem(name)) }
          if let access, try !access.shows(name, view) {
            return .failure(.unknownItem(name))
          }
          guard grants.allowReading(stored, by: account, caller) else { return .failure(.notPermitted("READ")) }
          return .success(
            try present(
              stored, address, to: account, keys, request.desiredKeys, contentsIn: request.withAssets ? view : nil))
        } catch  where Self.concernsOneFile(error) {
          if let access, try !access.mayReveal(of: name, view) { return .failure(.unknownItem(name)) }
          // An unreadable file fails only its own record.
          return .failure(ServiceError(describing: error))
        }
      }
    }
  }

  /// Whether the error concerns one file only, so that other records can still be read.
  static func concernsOneFile(_ error: any Error) -> Bool {
    switch error {
    case is ServiceError, StorageError.damaged, StorageError.nameCollision: true
    case let error as SystemError: error.isUnreadable
    default: false
    }
  }

  /// Reads a zone under its lock, with the keys of the caller's device.
  func reading<Answer>(
    _ store: ZoneStore, _ address: ZoneAddress, _ account: Account?, _ caller: Caller,
    _ body: (ZoneView, ZoneKeys) throws -> Answer
  ) throws -> Answer {
    try service.keys.withKeys(of: account, caller) { keyProvider in
      try service.zones.reportingEnd(of: address) {
        try store.read(waitPolicy(caller)) { view in try body(view, ZoneKeys(service, address, keyProvider, view)) }
      }
    }
  }

  /// A stored record as the caller may see it, with all fields or only the wanted ones.
  func present(
    _ stored: StoredRecord, _ address: ZoneAddress, to account: Account?, _ keys: ZoneKeys, _ wanted: [String]? = nil,
    contentsIn view: ZoneView? = nil
  ) throws(ServiceError) -> Record {
    try present(record(stored, in: address), of: stored, to: account, keys, wanted, contentsIn: view)
  }

  /// The stored record as a value. If its file holds values that no record can have, the error names the file.
  ///
  /// - Parameter fields: its plain fields, if they are known.
  func record(
    _ stored: StoredRecord, fields: [String: FieldValue]? = nil, in address: ZoneAddress
  ) throws(ServiceError) -> Record {
    try stored.naming(cloud.root.path(of: Record.file(stored, in: address))) { () throws(ServiceError) -> Record in
      guard let fields else { return try Record(stored, zone: address.identifier) }
      return try Record(stored.object, fields: fields, zone: address.identifier)
    }
  }

  /// Completes `record` after reading it without keys: opens its encrypted fields and drops all fields but the wanted
  /// ones.
  func present(
    _ record: Record, of stored: StoredRecord, to account: Account?, _ keys: ZoneKeys, _ wanted: [String]?,
    contentsIn view: ZoneView?
  ) throws(ServiceError) -> Record {
    var record = presentPlain(record, to: account)
    record.encryptedFields = try keys.open(stored) { wanted?.contains($0) ?? true }
    do { return try record.keeping(wanted, contentsIn: view) } catch { throw ServiceError(describing: error) }
  }

  /// The record as the caller may see it, without its encrypted fields.
  func presentPlain(_ record: Record, to account: Account?) -> Record {
    var record = record
    if let details = record.shareDetails { record.shareDetails = details.presented(to: account) }
    return record
  }
}

extension ModifyRecordsRequest {
  /// Replaces the three spellings of the caller's own zones by one, so that they form one batch ([zone-owner-1]).
  fileprivate func namingOwnZonesAlike(_ account: Account) -> ModifyRecordsRequest {
    func alike(_ zone: ZoneIdentifier) -> ZoneIdentifier {
      zone.isOwn(of: account) ? ZoneIdentifier(name: zone.name) : zone
    }
    var result = self
    for index in saves.indices { result.saves[index].id.zone = alike(saves[index].id.zone) }
    for index in deletes.indices { result.deletes[index].zone = alike(deletes[index].zone) }
    return result
  }
}
