import Foundation

/// The record that shares a hierarchy of records, or a whole zone, with other people.
///
/// A new share of a hierarchy is saved together with its root record, in one operation. Its title, thumbnail and type
/// are ordinary values under the keys of `CKShare.SystemFieldKey`.
// Sendable: it adds no stored property to CKRecord.
open class CKShare: CKRecord, @unchecked Sendable {
  /// A person on a share; the class is `CKShareParticipant` because nested classes cannot be archived on Linux.
  public typealias Participant = CKShareParticipant

  /// The description of the share at a URL; the class is `CKShareMetadata` because nested classes cannot be archived on
  /// Linux.
  public typealias Metadata = CKShareMetadata

  /// Makes a share of a record and its descendants, with a new ID in the record's zone.
  ///
  /// Sets the record's `share` at once, so the record has to be saved as well.
  public convenience init(rootRecord: CKRecord) {
    let name = "Share-\(UUID().uuidString)"
    self.init(rootRecord: rootRecord, shareID: CKRecordID(recordName: name, zoneID: rootRecord.recordID.zoneID))
  }

  /// Makes a share of a record and its descendants, with that ID.
  ///
  /// Sets the record's `share` at once, so the record has to be saved as well. Stops the process if the share and the
  /// record are in different zones.
  public init(rootRecord: CKRecord, shareID: CKRecord.ID) {
    let rootID = rootRecord.recordID
    guard shareID.zoneID.isEqual(rootID.zoneID) else {
      raise("The share and its root record must be in the same zone: \(shareID.text), \(rootID.text)")
    }
    var state = RecordState(recordType: CKRecord.SystemType.share, recordID: shareID)
    state.shareState = .new(rootRecordID: rootID, shareID: shareID)
    super.init(state: state)
    rootRecord.withState { $0.setShare(CKReference(recordID: shareID, action: .none)) }
  }

  /// Makes a share of all records in that zone. Its record name is always `CKRecordNameZoneWideShare`.
  public init(recordZoneID: CKRecordZone.ID) {
    let shareID = CKRecordID(recordName: CKRecordNameZoneWideShare, zoneID: recordZoneID)
    var state = RecordState(recordType: CKRecord.SystemType.share, recordID: shareID)
    state.shareState = .new(rootRecordID: nil, shareID: shareID)
    super.init(state: state)
  }

  /// Makes a share with that state.
  package override init(state: RecordState) {
    var state = state
    if state.shareState == nil { state.shareState = .new(rootRecordID: nil, shareID: state.recordID) }
    for participant in state.shareState?.participants ?? [] { participant.attach(to: state.recordID) }
    super.init(state: state)
  }

  /// Reads a share, or the system fields of one, from an archive.
  ///
  /// - Difference: an archive that holds no share gives a share with a new name in the default zone, unknown to any
  ///   server; the unarchiver's `error` is set. Apple raises an exception.
  public required init(coder: NSCoder) {
    let archive = coder.decodePayload(RecordState.Archive.self, forKey: Self.archiveKey)
    if let state = archive.flatMap(RecordState.init(archive:)), state.shareState != nil {
      super.init(state: state)
      return
    }
    coder.reportDamage(forKey: Self.archiveKey)
    let shareID = CKRecordID()
    var state = RecordState(recordType: CKRecord.SystemType.share, recordID: shareID)
    state.shareState = .new(rootRecordID: nil, shareID: shareID)
    super.init(state: state)
  }

  /// The root of the shared hierarchy; nil in a zone-wide share.
  package var rootRecordID: CKRecordID? { shareState.rootRecordID }

  /// The state of the share. Every share has one.
  package var shareState: ShareState {
    withState { $0.shareState } ?? .new(rootRecordID: nil, shareID: recordID)
  }

  func withShareState<Result>(_ body: (inout ShareState) -> Result) -> Result {
    withState { state in
      var shareState = state.shareState ?? .new(rootRecordID: nil, shareID: state.recordID)
      defer { state.shareState = shareState }
      return body(&shareState)
    }
  }

  // MARK: Access

  /// The link to give to other users; nil until the share is saved. It stays the same while the root record exists.
  open var url: URL? { shareState.url }

  /// The permission of every user that has the link. The default is `.none`.
  ///
  /// Setting another value changes ``participants`` at once. Setting `.readOnly` or `.readWrite` removes all
  /// participants that have not accepted, and gives public users the new permission. Setting `.none` removes all
  /// participants except the owner. Setting `.unknown` stops the process.
  ///
  /// - Assumption: a change to `.none` removes private users, too, as the header says; some documentation spares them.
  /// - Assumption: between `.readOnly` and `.readWrite` public users with an earlier entry get the new permission, too; one
  ///   page of Apple's calls it the permission that people start with.
  /// - Assumption: setting `.unknown` is an exception.
  open var publicPermission: CKShare.ParticipantPermission {
    get { shareState.publicPermission }
    set {
      if newValue == .unknown { raise("publicPermission cannot be set to CKShareParticipantPermissionUnknown") }
      withShareState { $0.setPublicPermission(newValue) }
    }
  }
}
