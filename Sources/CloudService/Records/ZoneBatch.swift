import CloudModel
import CloudStore
import Storage

/// The part of a modify request that lies in one zone, from checks to commit.
///
/// Order ([record-save-9]): names and sizes, the caller's permission, tag, type; then parents; then storage; then sharing
/// rules; then deletions. In an atomic zone one refusal undoes all; elsewhere each item stands for itself.
/// Lives for one run of a zone's write; a second run starts with a new one.
final class ZoneBatch {
  struct Save {
    var request: RecordSave
    var stored: StoredRecord?
    /// Nil once refused.
    var result: Result<StoredRecord, ServiceError>
    /// What its encrypted fields hold, those among them that it had before.
    var opened: [String: FieldValue] = [:]
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
  /// Whose keys there are; nil for batches that need none.
  let holder: PrivateKeyProvider?
  let access: ParticipantAccess?
  /// Files that the saves bring.
  let assets: AssetIntake?
  let stamp: Stamp
  /// The same as each record holds it.
  let stampValue: JSONValue
  /// What new records begin as.
  private let blank: JSONObject
  /// The parents of records as ``planned(_:)`` has them.
  let plannedChains = ParentChains()
  /// What is to become of each. Whatever changes in them, the planned parents may be others then.
  var saves: [Save] = [] { didSet { plannedChains.forget() } }
  var deletes: [Delete] = []
  /// What the caller is told of the saves.
  private(set) var answers: [Result<Record, ServiceError>] = []
  /// What is to be saved, and where each record stands in it and in `saves`.
  private(set) var requests: [RecordSave] = []
  private(set) var places: [ExactName: Int] = [:]
  /// Shares whose members' view changes: their participants' shared databases mention the zone.
  var affectedShares: Set<ExactName> = []
  /// Accounts whose window changed beside.
  var affectedAccounts: Set<String> = []
  /// Accounts whose shared databases mention the zone.
  var viewers: Set<String> = []
  /// For those who are told by a push.
  private(set) lazy var recordChanges = Result { try readRecordChanges() }
  let properties: ZoneProperties
  var schema: SchemaReview
  /// Who was in which share when the batch came.
  let before: Membership
  /// Whether the transaction has what the saves and deletions come to.
  var isWritten = false
  private(set) lazy var keyPlan = KeyWrapPlan(
    service, address, holder, transaction,
    record: { [unowned self] in try isWritten ? transaction.record($0) : planned($0) })

  init(
    _ service: CloudService, _ caller: Caller, _ account: Account, _ address: ZoneAddress,
    _ transaction: ZoneTransaction, policy: SavePolicy, atomic: Bool, keys holder: PrivateKeyProvider? = nil,
    assets: AssetIntake? = nil, leaving isLeaving: Bool = false
  ) throws {
    self.assets = assets
    self.service = service
    self.caller = caller
    self.account = account
    self.address = address
    self.transaction = transaction
    self.policy = policy
    if let operation = caller.operation, operation.life != .short { transaction.operation = operation.id }
    isAtomic = atomic && address.isAtomic
    self.holder = holder
    properties = try transaction.view.properties()
    schema = SchemaReview(try service.schemas.storedSchema(caller.container, caller.environment), caller.environment)
    before = try Membership(transaction.view)
    access =
      address.role == .participant
      ? try service.sharing.access(of: account, address, transaction.view, mayBeReset: isLeaving) : nil
    stamp = Stamp(
      timestamp: service.settings.clock(), userRecordName: account.userRecordName,
      deviceID: caller.device(of: account))
    stampValue = .object(stamp.object)
    blank = [
      "created": stampValue, "fields": [:], "modified": stampValue, "recordChangeTag": "", "recordName": "",
      "recordType": "", "x-local": ["sequence": 0], "zoneID": .object(address.identifier.object),
    ]
  }

  /// Plans and commits. Results stand in `answers` and `deletes`. Throws ``SchemaTooSmall`` before anything is committed.
  func run(_ requests: [RecordSave], deleting names: [ExactName]) throws {
    if try plan(requests, deleting: names) {
      try transaction.commit(service.patience(caller)) { answers = answered() }
    }
    if answers.isEmpty { answers = answered() }
  }

  private func answered() -> [Result<Record, ServiceError>] {
    saves.map { save in
      save.result.flatMap { planned in
        Result {
          let stored = try transaction.record(planned.name) ?? planned
          var record = service.records.presentPlain(try service.records.record(stored, in: address), to: account)
          record.encryptedFields = save.opened
          return record
        }.mapError(ServiceError.init(describing:))
      }
    }
  }

  /// Answers false if the batch is refused as a whole: what was planned of it by then must not be committed.
  private func plan(_ requests: [RecordSave], deleting names: [ExactName]) throws -> Bool {
    try transaction.expect(requests.map(\.id.name))
    self.requests = requests
    places = Dictionary(requests.enumerated().map { ($1.id.name, $0) }, uniquingKeysWith: { first, _ in first })
    deletes = names.map { Delete(name: $0) }
    for request in requests { saves.append(try prepare(request)) }
    if assets?.isWanting == true { return false }
    try checkOwners()
    try checkTargets()
    try checkStorage()
    let isRefused =
      saves.allSatisfy { $0.result.isFailure } || isAtomic && saves.contains { $0.result.isFailure }
    // Before anything is drawn that the second run would draw again.
    if !schema.growth.isEmpty, !isRefused { throw SchemaTooSmall(growth: schema.growth) }
    try planShares()
    try planKeys()
    if isAtomic, saves.contains(where: { $0.result.isFailure }) { return refuseAll() }
    try writeSaves()
    for place in deletes.indices { try prepareDelete(&deletes[place]) }
    try checkDeletes()
    if isAtomic, deletes.contains(where: { $0.result.isFailure }) { return refuseAll() }
    try writeDeletes()
    isWritten = true
    try touchTargets()
    try followMembership()
    try followKeys()
    try mention()
    try planPushes()
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

  func account(_ userRecordName: String?) throws -> Account? {
    try userRecordName.flatMap { try service.accountFiles.account(ofUser: $0) }
  }

  // MARK: One save

  /// The record as the batch's saves will leave it, as far as they go.
  func planned(_ name: ExactName) throws -> StoredRecord? {
    if let place = places[name], case .success(let record) = saves[place].result { return record }
    return try transaction.view.record(name)
  }

  private func prepare(_ request: RecordSave) throws -> Save {
    let stored = try transaction.view.record(request.id.name)
    let schemaBefore = schema
    do {
      var request = request
      let record = try merged(&request, stored)
      // What is to be sealed first comes otherwise.
      if request.encryptedFields.isEmpty { try transaction.foresee(record) }
      return Save(request: request, stored: stored, result: .success(record))
    } catch let error as ServiceError {
      // What is refused makes no field.
      schema = schemaBefore
      return Save(request: request, stored: stored, result: .failure(error))
    }
  }

  /// The record as it would be saved.
  private func merged(_ request: inout RecordSave, _ stored: StoredRecord?) throws -> StoredRecord {
    try checkNames(request)
    if let refusal = request.refusal { throw refusal }
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
    record.object["fields"] = .object(try fields(&request, record, stored))
    return record
  }

  private func checkNames(_ request: RecordSave) throws {
    // Whose it is, is a matter of permission.
    try NameRules.check(
      request.id.name, what: "A record's name", allowsUnderscore: request.type == Record.userType)
    if request.type != Record.shareType { try NameRules.check(type: request.type) }
    for key in request.fields.keys { try NameRules.check(key: key, type: request.type) }
    for key in request.encryptedFields.keys { try NameRules.check(key: key, type: request.type) }
  }

  private func checkTag(_ request: RecordSave, _ stored: StoredRecord?) throws {
    // A share's list of participants is checked under every policy.
    guard policy == .ifServerRecordUnchanged || request.type == Record.shareType else { return }
    guard let stored else {
      if request.changeTag != nil {
        throw ServiceError(.unknownItem, "recordChangeTag specified, but record not found", internalCode: 2003)
      }
      return
    }
    if request.changeTag == stored.tag { return }
    throw ServiceError(
      .serverRecordChanged,
      request.changeTag == nil ? "record to insert already exists" : "client oplock error updating record",
      internalCode: 2004, serverRecord: try service.records.present(stored, address, to: account, keyPlan.keys))
  }

  private func new(_ request: RecordSave) -> StoredRecord {
    var object = blank
    object["recordName"] = .string(request.id.name.string)
    object["recordType"] = .string(request.type)
    return StoredRecord(object)
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

  /// Without the new encrypted values, which are sealed later: nothing may lie anywhere as it was sent.
  private func fields(
    _ request: inout RecordSave, _ record: StoredRecord, _ stored: StoredRecord?
  ) throws -> JSONObject {
    var fields = record.object["fields"]?.object ?? [:]
    try schema.admit(request.type)
    if !request.encryptedFields.isEmpty { try checkEncryption(&request) }
    for (key, value) in request.fields {
      fields[key] = try value.map {
        let value = try localized(placingAssets(of: $0, key, in: stored), key)
        return .object(try schema.fit(value, key: key, type: request.type).field)
      }
    }
    for key in request.encryptedFields.keys { fields[key] = nil }
    var size = 0
    for (key, field) in fields {
      if let object = field.object, object.isEncryptedField {
        size += key.utf8.count + FieldValue.size(ofSealed: object)
        continue
      }
      let value = try request.fields[key] ?? field.object.flatMap { try FieldValue.parse($0, key: key) }
      if let value { size += key.utf8.count + value.size }
    }
    for case (let key, let value?) in request.encryptedFields { size += key.utf8.count + value.size }
    guard size <= NameRules.maximumRecordBytes else {
      throw ServiceError.limitExceeded(
        "record '\(request.id.name)' is too large: \(size) of at most \(NameRules.maximumRecordBytes) bytes")
    }
    return fields
  }

  /// References within the zone are stored without it; others can't be ([record-reference-1]).
  func localized(_ value: FieldValue, _ key: String) throws -> FieldValue {
    switch value {
    case .reference(var reference):
      if let zone = reference.zone, !isThisZone(zone) {
        throw ServiceError.invalid("Field '\(key)': a reference can't leave its zone")
      }
      try NameRules.check(reference.record, what: "A reference's record name", allowsUnderscore: true)
      reference.zone = nil
      return .reference(reference)
    case .list(let type, let elements):
      guard elements.allSatisfy({ if case .list = $0 { false } else { true } }) else {
        throw ServiceError.invalid("Field '\(key)': a list can't hold lists")
      }
      guard elements.allSatisfy({ $0.elementType == type }) else {
        throw ServiceError.invalid("Field '\(key)': the elements of a list must be of one type")
      }
      return .list(type, try elements.map { try localized($0, key) })
    case .double(let number) where !number.isFinite:
      throw ServiceError.invalid("Field '\(key)': \(number) is no number that can be stored")
    case .timestamp(let moment) where !moment.isStorable:
      throw ServiceError.invalid("Field '\(key)': a date of \(moment.secondsSince2001) seconds can't be stored")
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
