import LocalCloudStorage

/// A request to save and delete records.
package struct ModifyRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var saves: [RecordSave]
  package var deletes: [RecordIdentifier]
  package var policy: SavePolicy
  package var atomic: Bool
  /// Whether record types that the schema lacks are created in development.
  package var makesTypes = true
  /// Returned by the device's next fetch of zone changes.
  package var clientChangeTokenData: [UInt8]?
  /// Called during uploads with a save's index and its progress, from 0 up to, but not including, 1; the end of the
  /// request means 1. Returns whether to continue. Called on the request's thread.
  package var progress: (@Sendable (_ save: Int, _ fraction: Double) -> Bool)?

  package init(
    scope: DatabaseScope, saves: [RecordSave] = [], deletes: [RecordIdentifier] = [],
    policy: SavePolicy = .ifServerRecordUnchanged, atomic: Bool = true, clientChangeTokenData: [UInt8]? = nil
  ) {
    self.scope = scope
    self.saves = saves
    self.deletes = deletes
    self.policy = policy
    self.atomic = atomic
    self.clientChangeTokenData = clientChangeTokenData
  }
}

/// The save policy, with CloudKit's raw values. The client chooses the keys to send by it, the server decides by it
/// whether to check the tag.
package enum SavePolicy: Int, Sendable {
  case ifServerRecordUnchanged = 0
  case changedKeys = 1
  case allKeys = 2
}

/// A record to save: only the keys to be changed. Keys that are not named keep their value on the server.
package struct RecordSave: Sendable {
  package var id: RecordIdentifier
  package var type: String
  /// The change tag of the edited copy; nil for a record that was never fetched.
  package var changeTag: String?
  /// The fields to set; a nil value removes the field.
  package var fields: [String: FieldValue?]
  /// The encrypted fields to set; a nil value removes the field.
  package var encryptedFields: [String: FieldValue?] = [:]
  package var parent: ParentEdit
  /// Only for type `cloudkit.share`.
  package var share: ShareSave?
  /// The error of a save with contents that this type can't express.
  package var refusal: ServiceError?

  package init(
    id: RecordIdentifier, type: String, changeTag: String? = nil, fields: [String: FieldValue?] = [:],
    parent: ParentEdit = .keep, share: ShareSave? = nil
  ) {
    self.id = id
    self.type = type
    self.changeTag = changeTag
    self.fields = fields
    self.parent = parent
    self.share = share
  }

  /// The number of bytes that the save adds to the size of its request ([record-limit-2]).
  package var size: Int {
    [fields, encryptedFields].joined().reduce(0) { $0 + $1.key.utf8.count + ($1.value?.size ?? 0) }
  }
}

package enum ParentEdit: Sendable, Hashable {
  case keep
  case clear
  /// Sets the parent; `zone` nil: the record's own zone.
  case set(ExactName, zone: ZoneIdentifier?)
}

/// The share-only part of a share to save, with the client's whole list of participants.
package struct ShareSave: Sendable {
  /// The root of a new hierarchical share (`CKShare(rootRecord:)`); nil if the share was fetched or is zone-wide.
  package var root: ExactName?
  package var publicPermission: SharePermission
  package var participants: [Participant]
  /// The requests for access; nil: unchanged.
  package var accessRequests: AccessRequests?

  package init(
    root: ExactName?, publicPermission: SharePermission = .none, participants: [Participant] = [],
    accessRequests: AccessRequests? = nil
  ) {
    self.root = root
    self.publicPermission = publicPermission
    self.participants = participants
    self.accessRequests = accessRequests
  }

  /// The save of a fetched share, with these edited details.
  package init(_ details: ShareDetails) {
    self.init(
      root: nil, publicPermission: details.publicPermission, participants: details.participants,
      accessRequests: details.accessRequests)
  }

  /// Whether all participants have different IDs. The IDs identify the entries.
  package var hasDistinctEntries: Bool { Set(participants.map(\.participantID)).count == participants.count }
}

/// The results, in the order of the request.
package struct ModifyRecordsResponse: Sendable {
  package var saves: [Result<Record, ServiceError>]
  package var deletes: [Result<Void, ServiceError>]
  /// Indices of successful deletions that deleted nothing: the zone has no record of that name, or the caller may not
  /// know of it.
  package var absent: Set<Int> = []

  package init(saves: [Result<Record, ServiceError>], deletes: [Result<Void, ServiceError>]) {
    self.saves = saves
    self.deletes = deletes
  }
}
