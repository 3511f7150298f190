import CloudModel
import CloudStore
import Storage

/// Records as the store holds them.
extension Record {
  /// `zone` bears the zone owner's user record name.
  init(_ stored: StoredRecord, zone: ZoneIdentifier) throws(ServiceError) {
    try self.init(stored.object, zone: zone)
  }

  /// The same; the error of a file that says what no record can names it.
  init(_ stored: StoredRecord, zone: ZoneIdentifier, file: @autoclosure () -> String) throws(ServiceError) {
    self = try stored.naming(file()) { () throws(ServiceError) in try Record(stored, zone: zone) }
  }

  /// Its path in the cloud.
  static func file(_ stored: StoredRecord, in address: ZoneAddress) -> String {
    (address.path.components + ["records", FileName.document(stored.name.string)]).joined(separator: "/")
  }

  /// Only these fields; nil: all. Given the zone that it was read in, with the bytes of its assets.
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
  /// Reads it; the error of a file that says what none can names that file.
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

extension AssetContent: AssetReading {}

extension RecordChange {
  /// As the store has it.
  var record: StoredRecord { StoredRecord(object) }

  /// Nil for a record that was not there and is not there now.
  init?(_ name: ExactName, before: StoredRecord?, after: StoredRecord?) {
    guard let record = after ?? before else { return nil }
    self.init(name, after == nil ? .deleted : before == nil ? .created : .updated, record.object)
  }
}
