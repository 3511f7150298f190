import LocalCloudStorage

/// A record as the service returns it: the Web Services record dictionary as a value.
package struct Record: Sendable, Hashable {
  package var id: RecordIdentifier
  package var type: String
  package var changeTag: String
  package var created: Stamp
  package var modified: Stamp
  /// Name of the parent record; it is always in the same zone.
  package var parent: ExactName?
  /// On the root of a hierarchical share: the share's record name.
  package var share: ExactName?
  package var shortGUID: String?
  package var fields: [String: FieldValue]
  /// The plain values of encrypted fields; the cloud stores them sealed.
  package var encryptedFields: [String: FieldValue] = [:]
  /// Only on records of type `cloudkit.share`.
  package var shareDetails: ShareDetails?

  package init(
    id: RecordIdentifier, type: String, changeTag: String, created: Stamp, modified: Stamp,
    fields: [String: FieldValue] = [:]
  ) {
    self.id = id
    self.type = type
    self.changeTag = changeTag
    self.created = created
    self.modified = modified
    self.fields = fields
  }

  package static let shareType = "cloudkit.share"
  package static let userType = "Users"
  package static let zoneWideShareName: ExactName = "cloudkit.zoneshare"
}

/// The time, user and device of a creation or modification.
package struct Stamp: Sendable, Hashable {
  /// Milliseconds since 1970.
  package var timestamp: Int64
  package var userRecordName: String
  package var deviceID: String

  package init(timestamp: Int64, userRecordName: String, deviceID: String) {
    self.timestamp = timestamp
    self.userRecordName = userRecordName
    self.deviceID = deviceID
  }
}
