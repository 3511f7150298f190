import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Reviews each record to be saved on its own: names, the caller's permission, change tag, type, parent, fields against
/// the schema, and size.
struct SaveReview {
  private let change: ZoneChange
  private let policy: SavePolicy
  private let assets: AssetIntake
  private let faults: RequestFaults
  let permission: SavePermission
  /// Template for new records.
  private let blank: JSONObject
  /// The schema, and the types and fields that it lacks.
  private(set) var schema: SchemaReview
  /// Files that have to be uploaded before the records can be saved.
  private(set) var wantedFiles: [AssetSource] = []

  init(_ change: ZoneChange, _ policy: SavePolicy, _ assets: AssetIntake, _ faults: RequestFaults) throws {
    self.change = change
    self.faults = faults
    self.policy = policy
    self.assets = assets
    let caller = change.caller
    schema = SchemaReview(
      try change.service.schemas.storedSchema(caller.container, caller.environment), caller.environment)
    permission = SavePermission(change, policy, schema.schema)
    blank = [
      "created": change.stampValue, "fields": [:], "modified": change.stampValue, "recordChangeTag": "",
      "recordName": "", "recordType": "", "x-local": ["sequence": 0],
      "zoneID": .object(change.address.identifier.object),
    ]
  }

  mutating func review(_ request: RecordSave, in plan: ModifyRecordsPlan) throws -> ModifyRecordsPlan.Save {
    let stored = try change.transaction.view.record(request.id.name)
    let schemaBefore = schema
    var request = request
    do {
      let (record, values) = try merged(&request, stored, plan)
      // A record with new encrypted values is complete only after they are sealed.
      if request.encryptedFields.isEmpty { try change.transaction.stageEarly(record) }
      return ModifyRecordsPlan.Save(request: request, stored: stored, result: .success(record), values: values)
    } catch let error as ServiceError {
      // A refused save adds no field to the schema.
      schema = schemaBefore
      return ModifyRecordsPlan.Save(request: request, stored: stored, result: .failure(error))
    }
  }

  /// The record after the save, and the values of its fields. Throws the error if the save is refused.
  private mutating func merged(
    _ request: inout RecordSave, _ stored: StoredRecord?, _ plan: ModifyRecordsPlan
  ) throws -> (record: StoredRecord, values: [String: FieldValue]) {
    try checkNames(request)
    if let refusal = request.refusal { throw refusal }
    try permission.check(request, stored, plan)
    try checkFault(request, stored)
    try checkTag(request, stored)
    if let stored, stored.type != request.type {
      throw ServiceError.invalid(
        "invalid attempt to change the type of record '\(request.id.name)' from '\(stored.type)' to '\(request.type)'")
    }
    if stored == nil, request.type == Record.userType { throw ServiceError.notPermitted("CREATE") }
    var record = stored ?? new(request)
    record.object["modified"] = change.stampValue
    switch request.parent {
    case .keep:
      break
    case .clear:
      record.object["parent"] = nil
    case .set(let name, let zone):
      if let zone, !isThisZone(zone) {
        throw ServiceError.invalid("The parent of '\(request.id.name)' must be in the same zone")
      }
      record.object["parent"] = ["recordName": .string(name.string)]
    }
    let values = try setFields(of: &record, &request, stored)
    return (record, values)
  }

  private func checkNames(_ request: RecordSave) throws {
    // Whether the caller owns the user record is checked as a permission.
    try NameRules.check(
      request.id.name, what: "A record's name", allowsUnderscore: request.type == Record.userType)
    if request.type != Record.shareType { try NameRules.check(type: request.type) }
    for key in request.fields.keys { try NameRules.check(key: key, type: request.type) }
    for key in request.encryptedFields.keys { try NameRules.check(key: key, type: request.type) }
  }

  /// Throws the error that a fault rule gives to the save. As a real one, a conflict has the server's record, if there
  /// is one.
  private func checkFault(_ request: RecordSave, _ stored: StoredRecord?) throws {
    let id = RecordIdentifier(name: request.id.name, zone: change.address.identifier)
    guard var fault = faults.error(of: id, type: request.type) else { return }
    if fault.code == .serverRecordChanged { fault.serverRecord = try stored.map(presented) }
    throw fault
  }

  private func presented(_ stored: StoredRecord) throws -> Record {
    try change.service.records.present(stored, change.address, to: change.account, change.keyPlan.keys)
  }

  private func checkTag(_ request: RecordSave, _ stored: StoredRecord?) throws {
    // The change tag of a share is checked under every policy, because of its list of participants.
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
      internalCode: 2004, serverRecord: try presented(stored))
  }

  private func new(_ request: RecordSave) -> StoredRecord {
    var object = blank
    object["recordName"] = .string(request.id.name.string)
    object["recordType"] = .string(request.type)
    return StoredRecord(object)
  }

  private func isThisZone(_ zone: ZoneIdentifier) -> Bool {
    let own = change.address.identifier
    guard zone.name == own.name else { return false }
    if zone.owner == own.owner { return true }
    return change.address.role != .participant && (zone.owner == nil || zone.owner == ZoneIdentifier.currentUser)
  }

  // MARK: Fields

  /// Sets the fields of the saved record, except for its new encrypted values. These are sealed later: they must not be
  /// stored anywhere in plain form.
  ///
  /// - Returns: the values of all fields that are not encrypted.
  private mutating func setFields(
    of record: inout StoredRecord, _ request: inout RecordSave, _ stored: StoredRecord?
  ) throws -> [String: FieldValue] {
    var fields = record.object["fields"]?.object ?? [:]
    var values: [String: FieldValue] = [:]
    try schema.admit(request.type)
    if !request.encryptedFields.isEmpty { try checkEncryption(&request) }
    for (key, value) in request.fields {
      guard let value else {
        fields[key] = nil
        continue
      }
      let placed = try localized(placingAssets(of: value, key, in: stored), key)
      let fitting = try schema.fit(placed, key: key, type: request.type)
      values[key] = fitting
      fields[key] = .object(fitting.field)
    }
    for key in request.encryptedFields.keys {
      fields[key] = nil
      values[key] = nil
    }
    var size = 0
    for (key, field) in fields {
      guard let object = field.object else { throw ServiceError.damaged(record, "the field \(key) is no object") }
      if object.isEncryptedField {
        size += key.utf8.count + FieldValue.size(ofSealed: object)
      } else if let value = try values[key] ?? FieldValue.parse(object, key: key) {
        values[key] = value
        size += key.utf8.count + value.size
      }
    }
    for case (let key, let value?) in request.encryptedFields { size += key.utf8.count + value.size }
    guard size <= NameRules.maximumRecordBytes else {
      throw ServiceError.limitExceeded(
        "record '\(request.id.name)' is too large: \(size) of at most \(NameRules.maximumRecordBytes) bytes")
    }
    record.object["fields"] = .object(fields)
    return values
  }

  /// Checks the encrypted values of a save: a field of a record is either plain or encrypted, and that never changes
  /// ([encryption-value-4]).
  ///
  /// - Assumption: encrypted values in the public database, and a plain value for a field that is encrypted or the
  ///   reverse, are `invalidArguments` for their record.
  private mutating func checkEncryption(_ request: inout RecordSave) throws {
    let encrypted = request.encryptedFields.compactMapValues { $0 }
    if let key = encrypted.keys.min(), change.address.role == .publicUser {
      throw ServiceError.invalid("Field '\(key)': encrypted fields aren't supported in the public database")
    }
    for (key, value) in encrypted {
      guard value.isEncryptable else {
        throw ServiceError.invalid("Field '\(key)': a \(value.typeName) can't be encrypted")
      }
      if case .some(.some(_)) = request.fields[key] {
        throw ServiceError.invalid("Field '\(key)' can't be plain and encrypted at once")
      }
      request.encryptedFields[key] = try schema.fit(
        localized(value, key), key: key, type: request.type, isEncrypted: true)
    }
  }

  /// The value as the record will hold it: each asset is named by the zone's name for its content ([record-asset-5]).
  ///
  /// A save that names content without a file can only name content that the same record already holds. Content names
  /// are not secret, so they must not give access to the content of other records.
  ///
  /// - Assumption: a save that names bytes without sending them is `assetNotAvailable` if its record does not hold
  ///   them.
  private mutating func placingAssets(
    of value: FieldValue, _ key: String, in stored: StoredRecord?
  ) throws -> FieldValue {
    if !value.canHoldAssets { return value }
    let held = stored?.assets ?? []
    return try value.mappingAssets { asset in
      if let name = asset.name, held.contains(name) { return AssetValue(name: name) }
      guard let file = asset.source else { throw ServiceError.assetNotAvailable(key) }
      guard let upload = try assets.upload(of: file) else {
        wantedFiles.append(file)
        return AssetValue()
      }
      return AssetValue(name: try change.transaction.asset(upload))
    }
  }

  /// The value in its stored form: references lose the zone, as they can't leave it ([record-reference-1]). Throws for
  /// values that can't be stored.
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

extension FieldValue {
  /// Whether values of this kind can be encrypted. The server must see references; assets are always encrypted.
  fileprivate var isEncryptable: Bool {
    switch self {
    case .reference: false
    case .list(let type, let elements): type != .reference && type != .asset && elements.allSatisfy(\.isEncryptable)
    default: true
    }
  }
}
