import CloudStore

/// The part of a modify request that lies in one zone, from checks to commit.
///
/// Order (sharing.md 13): names and sizes, the caller's permission, tag, type; then parents; then sharing rules; then
/// deletions. In an atomic zone one refusal undoes all; elsewhere each item stands for itself.
/// Lives for one run of a zone's write; a second run starts with a new one.
final class ZoneBatch {
  struct Save {
    var request: RecordSave
    var stored: StoredRecord?
    /// Nil once refused.
    var result: Result<StoredRecord, ServiceError>
  }

  struct Delete {
    enum Effect: Equatable {
      case delete
      /// A participant who deletes a root or a share leaves it.
      case leave(ExactName)
      /// There is nothing, or nothing that the caller may know of: a success all the same.
      case nothing
    }

    var name: ExactName
    var effect = Effect.nothing
    var result: Result<Void, ServiceError> = .success(())
  }

  let service: CloudService
  let caller: Caller
  let account: Account
  let address: ZoneAddress
  let transaction: ZoneTransaction
  let policy: SavePolicy
  let isAtomic: Bool
  let access: WindowAccess?
  let stamp: Stamp
  /// The same as each record holds it.
  let stampValue: JSONValue
  private let zoneValue: JSONValue
  var saves: [Save] = []
  var deletes: [Delete] = []
  /// What the caller is told of the saves.
  private(set) var answers: [Result<Record, ServiceError>] = []
  /// All saves of the batch, by name.
  var pendingRequests: [ExactName: RecordSave] = [:]
  /// Shares whose members' view changes: their participants' shared databases mention the zone.
  var affectedShares: Set<ExactName> = []
  /// Accounts whose window changed beside.
  var affectedAccounts: Set<String> = []
  let properties: ZoneProperties
  /// Who was in which share when the batch came.
  let before: Membership

  init(
    _ service: CloudService, _ caller: Caller, _ account: Account, _ address: ZoneAddress,
    _ transaction: ZoneTransaction, policy: SavePolicy, atomic: Bool
  ) throws {
    self.service = service
    self.caller = caller
    self.account = account
    self.address = address
    self.transaction = transaction
    self.policy = policy
    isAtomic = atomic && address.isAtomic
    properties = try transaction.view.properties()
    before = try Membership(transaction.view)
    access = address.role == .participant ? try service.access(of: account, address, transaction.view) : nil
    stamp = Stamp(
      timestamp: service.settings.clock(), userRecordName: account.userRecordName,
      deviceID: caller.device(of: account))
    stampValue = .object(stamp.object)
    zoneValue = .object(address.identifier.object)
  }

  /// Plans and commits. Results stand in `answers` and `deletes`.
  func run(_ requests: [RecordSave], deleting names: [ExactName]) throws {
    if try plan(requests, deleting: names) {
      try transaction.commit(service.patience(caller)) { answers = answered() }
    }
    if answers.isEmpty { answers = answered() }
  }

  private func answered() -> [Result<Record, ServiceError>] {
    saves.map { save in
      save.result.flatMap { planned in
        Result { try service.present(transaction.record(planned.name) ?? planned, address, to: account) }
          .mapError(ServiceError.init(describing:))
      }
    }
  }

  /// Answers false if the batch is refused as a whole: what was planned of it by then must not be committed.
  private func plan(_ requests: [RecordSave], deleting names: [ExactName]) throws -> Bool {
    transaction.expect(requests.map(\.id.name))
    pendingRequests = Dictionary(requests.map { ($0.id.name, $0) }, uniquingKeysWith: { first, _ in first })
    deletes = names.map { Delete(name: $0) }
    for request in requests { saves.append(try prepare(request)) }
    try checkOwners()
    try checkParents()
    try planShares()
    if isAtomic, saves.contains(where: { $0.result.isFailure }) { return refuseAll() }
    try writeSaves()
    for place in deletes.indices { try prepareDelete(&deletes[place]) }
    try checkDeletes()
    if isAtomic, deletes.contains(where: { $0.result.isFailure }) { return refuseAll() }
    try writeDeletes()
    try touchTargets()
    try followMembership()
    try mention()
    return true
  }

  /// An atomic zone in which something failed: the guilty keep their errors, the innocent learn whose fault it was not.
  private func refuseAll() -> Bool {
    for place in saves.indices where !saves[place].result.isFailure { saves[place].result = .failure(.batchFailed) }
    for place in deletes.indices where !deletes[place].result.isFailure {
      deletes[place].result = .failure(.batchFailed)
    }
    return false
  }

  /// All accounts by user record name, read when first needed.
  private(set) lazy var accounts = Result {
    Dictionary(try service.allAccounts().map { ($0.userRecordName, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func account(_ userRecordName: String?) throws -> Account? {
    guard let userRecordName else { return nil }
    return try accounts.get()[userRecordName]
  }

  // MARK: One save

  private func prepare(_ request: RecordSave) throws -> Save {
    let stored = try transaction.view.record(request.id.name)
    do {
      let record = try merged(request, stored)
      try transaction.foresee(record)
      return Save(request: request, stored: stored, result: .success(record))
    } catch let error as ServiceError {
      return Save(request: request, stored: stored, result: .failure(error))
    }
  }

  /// The record as it would be saved.
  ///
  /// - Difference: there is no schema yet. Any type and field can be saved in either environment; iCloud keeps a field's
  ///   type, creates what is missing in development and refuses it in production.
  private func merged(_ request: RecordSave, _ stored: StoredRecord?) throws -> StoredRecord {
    try checkNames(request)
    if let what = request.unsupported.first { throw ServiceError.notYet(what) }
    try checkPermission(request, stored)
    try checkTag(request, stored)
    if let stored, stored.type != request.type {
      throw ServiceError.invalid(
        "invalid attempt to change the type of record '\(request.id.name)' from '\(stored.type)' to '\(request.type)'")
    }
    if stored == nil, request.type == Record.userType { throw ServiceError.notPermitted("CREATE") }
    var record = stored ?? new(request)
    record.object["modified"] = stampValue
    let parent = try self.parent(request)
    if parent != .unchanged { record.object["parent"] = parent.value }
    record.object["fields"] = .object(try fields(request, record))
    return record
  }

  private func checkNames(_ request: RecordSave) throws {
    let ownsUnderscore = request.type == Record.userType && request.id.name.string == account.userRecordName
    try NameRules.check(request.id.name, what: "A record's name", allowsUnderscore: ownsUnderscore)
    if request.type != Record.shareType { try NameRules.check(type: request.type) }
    for key in request.fields.keys { try NameRules.check(key: key, type: request.type) }
  }

  private func checkTag(_ request: RecordSave, _ stored: StoredRecord?) throws {
    // A share's list of participants is checked under every policy.
    guard policy == .ifServerRecordUnchanged || request.type == Record.shareType else { return }
    guard let stored else {
      if request.changeTag != nil { throw ServiceError.unknownItem(request.id.name) }
      return
    }
    if request.changeTag == stored.tag { return }
    throw ServiceError(
      .serverRecordChanged,
      request.changeTag == nil ? "record to insert already exists" : "client oplock error updating record",
      internalCode: 2004, serverRecord: try service.present(stored, address, to: account))
  }

  private func new(_ request: RecordSave) -> StoredRecord {
    StoredRecord([
      "created": stampValue,
      "fields": [:],
      "modified": stampValue,
      "recordChangeTag": "",
      "recordName": .string(request.id.name.string),
      "recordType": .string(request.type),
      "x-local": ["sequence": 0],
      "zoneID": zoneValue,
    ])
  }

  private enum ParentChange: Equatable {
    case unchanged
    case changed(ExactName?)

    var value: JSONValue? {
      if case .changed(let name?) = self { return ["recordName": .string(name.string)] }
      return nil
    }
  }

  private func parent(_ request: RecordSave) throws -> ParentChange {
    switch request.parent {
    case .keep:
      return .unchanged
    case .clear:
      return .changed(nil)
    case .set(let name, let zone):
      if let zone, !isThisZone(zone) {
        throw ServiceError.invalid("The parent of '\(request.id.name)' must be in the same zone")
      }
      return .changed(name)
    }
  }

  private func isThisZone(_ zone: ZoneIdentifier) -> Bool {
    guard zone.name == address.identifier.name else { return false }
    if zone.owner == address.identifier.owner { return true }
    return address.role != .participant && (zone.owner == nil || zone.owner == ZoneIdentifier.currentUser)
  }

  private func fields(_ request: RecordSave, _ record: StoredRecord) throws -> JSONObject {
    var fields = record.object["fields"]?.object ?? [:]
    for (key, value) in request.fields {
      if case .list(_, let elements)? = value, elements.contains(where: { if case .list = $0 { true } else { false } })
      {
        throw ServiceError.invalid("Field '\(key)': a list can't hold lists")
      }
      fields[key] = try value.map { .object(try localized($0, key).field) }
    }
    var size = 0
    for (key, field) in fields {
      let value = try request.fields[key] ?? field.object.flatMap { try FieldValue.parse($0, key: key) }
      if let value { size += key.utf8.count + value.size }
    }
    guard size <= NameRules.maximumRecordBytes else {
      throw ServiceError.limitExceeded(
        "record '\(request.id.name)' is too large: \(size) of at most \(NameRules.maximumRecordBytes) bytes")
    }
    return fields
  }

  /// References within the zone are stored without it; others can't be (records.md 4).
  private func localized(_ value: FieldValue, _ key: String) throws -> FieldValue {
    switch value {
    case .reference(var reference):
      if let zone = reference.zone, !isThisZone(zone) {
        throw ServiceError.invalid("Field '\(key)': a reference can't leave its zone")
      }
      try NameRules.check(reference.record, what: "A reference's record name", allowsUnderscore: true)
      reference.zone = nil
      return .reference(reference)
    case .list(let type, let elements):
      return .list(type, try elements.map { try localized($0, key) })
    case .double(let number) where !number.isFinite:
      throw ServiceError.invalid("Field '\(key)': \(number) is no number that can be stored")
    case .location(let location) where !location.isFinite:
      throw ServiceError.invalid("Field '\(key)': the location holds a number that can't be stored")
    default:
      return value
    }
  }
}

extension Result {
  var isFailure: Bool {
    if case .failure = self { return true }
    return false
  }
}
