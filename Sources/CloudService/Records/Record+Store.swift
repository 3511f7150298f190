import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Conversion of stored records.
extension Record {
  /// Reads a stored record. `zone` holds the zone owner's user record name.
  init(_ stored: StoredRecord, zone: ZoneIdentifier) throws(ServiceError) {
    try self.init(stored.object, zone: zone)
  }

  /// The same; if the file holds values that no record can have, the error names `file`.
  init(_ stored: StoredRecord, zone: ZoneIdentifier, file: @autoclosure () -> String) throws(ServiceError) {
    self = try stored.naming(file()) { () throws(ServiceError) in try Record(stored, zone: zone) }
  }

  /// The path of its file, relative to the cloud's root.
  static func file(_ stored: StoredRecord, in address: ZoneAddress) -> String {
    (address.path.components + ["records", FileName.document(stored.name.string)]).joined(separator: "/")
  }

  /// The record with only these fields; nil: all. If given the view that the record was read in, its assets get their
  /// content.
  func keeping(_ keys: [String]?, contentsIn view: ZoneView? = nil) throws -> Record {
    var result = self
    if let keys {
      result.fields = fields.filter { keys.contains($0.key) }
      result.encryptedFields = encryptedFields.filter { keys.contains($0.key) }
    }
    guard let view else { return result }
    return try result.mappingAssets { asset in
      var asset = asset
      asset.content = try asset.name.map(view.content)
      return asset
    }
  }
}

extension StoredRecord {
  /// Runs `read`; an error about the record's contents becomes damage of `file`.
  func naming<Value>(
    _ file: @autoclosure () -> String, _ read: () throws(ServiceError) -> Value
  ) throws(ServiceError) -> Value {
    do { return try read() } catch {
      var damage = error.cause == .damage ? error : ServiceError.damaged(self, error.message)
      damage.path = file()
      throw damage
    }
  }
}

extension ServiceError {
  static func damaged(_ stored: StoredRecord, _ reason: String) -> ServiceError { .damagedRecord(stored.name, reason) }
}

extension ChangeStamp {
  /// The stamp of a change in the zone at `address`.
  init(_ stamp: Stamp, in address: ZoneAddress) {
    self.init(
      milliseconds: stamp.timestamp,
      user: stamp.userRecordName == address.identifier.owner ? nil : stamp.userRecordName, device: stamp.deviceID)
  }
}

extension Stamp {
  /// Nil if neither the log's line nor the zone names a user.
  init?(_ stamp: ChangeStamp, in address: ZoneAddress) {
    guard let user = stamp.user ?? address.identifier.owner else { return nil }
    self.init(timestamp: stamp.milliseconds, userRecordName: user, deviceID: stamp.device)
  }
}

extension AssetContent: AssetReading {}

extension RecordChange {
  /// The record in the store's form.
  var record: StoredRecord { StoredRecord(object) }

  /// Nil for a record that exists neither before nor after.
  init?(_ name: ExactName, before: StoredRecord?, after: StoredRecord?) {
    guard let record = after ?? before else { return nil }
    self.init(name, after == nil ? .deleted : before == nil ? .created : .updated, record.object)
  }
}
