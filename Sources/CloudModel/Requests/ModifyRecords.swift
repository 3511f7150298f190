import Storage

/// Saves and deletes, in one trip.
package struct ModifyRecordsRequest: Sendable {
  package var scope: DatabaseScope
  package var saves: [RecordSave]
  package var deletes: [RecordIdentifier]
  package var policy: SavePolicy
  package var atomic: Bool
  /// Whether types of record that are not in the schema are made in development.
  package var makesTypes = true
  /// Handed back by the next zone changes fetch of the same device.
  package var clientChangeTokenData: [UInt8]?
  /// Told, while files are uploaded, which save is how far: from 0 to 1, which follows only when it is done; answers
  /// whether to go on. On the thread of the request.
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

/// Apple's raw values. Which keys are sent is the client's part, whether the tag is checked the server's.
package enum SavePolicy: Int, Sendable {
  case ifServerRecordUnchanged = 0
  case changedKeys = 1
  case allKeys = 2
}

/// One record to save: the keys sent, not the whole record. Keys not named keep their value on the server.
package struct RecordSave: Sendable {
  package var id: RecordIdentifier
  package var type: String
  /// The tag of the copy that was edited; nil for a record that was never fetched.
  package var changeTag: String?
  /// Nil value: remove the key.
  package var fields: [String: FieldValue?]
  /// The same for values that are to be encrypted.
  package var encryptedFields: [String: FieldValue?] = [:]
  package var parent: ParentEdit
  /// Only for type `cloudkit.share`.
  package var share: ShareSave?
  /// Why it can't be saved, where what it holds can't be said in these terms.
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
}

package enum ParentEdit: Sendable, Hashable {
  case keep
  case clear
  /// `zone` nil: the record's own.
  case set(ExactName, zone: ZoneIdentifier?)
}

/// The share-only part of a share that is saved; the whole list of participants, as the client has it.
package struct ShareSave: Sendable {
  /// Root of a new hierarchical share (`CKShare(rootRecord:)`); nil when the share was fetched or is zone-wide.
  package var root: ExactName?
  package var publicPermission: SharePermission
  package var participants: [Participant]
  /// Nil: as they are.
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

  /// An edited copy of a share that was fetched.
  package init(_ details: ShareDetails) {
    self.init(
      root: nil, publicPermission: details.publicPermission, participants: details.participants,
      accessRequests: details.accessRequests)
  }

  /// An ID tells which entry is meant.
  package var hasDistinctEntries: Bool { Set(participants.map(\.participantID)).count == participants.count }
}

/// Results stand in the order of the request.
package struct ModifyRecordsResponse: Sendable {
  package var saves: [Result<Record, ServiceError>]
  package var deletes: [Result<Void, ServiceError>]

  package init(saves: [Result<Record, ServiceError>], deletes: [Result<Void, ServiceError>]) {
    self.saves = saves
    self.deletes = deletes
  }
}
