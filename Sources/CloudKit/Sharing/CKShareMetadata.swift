import Foundation

/// The description of the share at a URL, as the current user sees it before accepting.
// Sendable: every stored property is a constant of a Sendable type.
open class CKShareMetadata: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// The container of the share.
  public let containerIdentifier: String

  /// The share itself.
  public let share: CKShare

  /// The ID of the root record; nil for a zone-wide share.
  public let hierarchicalRootRecordID: CKRecord.ID?

  /// The root record, if it was requested; nil for a zone-wide share.
  public let rootRecord: CKRecord?

  /// The current user's role.
  public let participantRole: CKShare.ParticipantRole

  /// Whether the current user accepted.
  public let participantStatus: CKShare.ParticipantAcceptanceStatus

  /// The current user's permission for the shared records.
  public let participantPermission: CKShare.ParticipantPermission

  /// The owner of the share.
  public let ownerIdentity: CKUserIdentity

  /// The link for accepting the share, if it is a one-time link instead of the share's URL.
  package let acceptanceURL: URL?

  /// Makes metadata from the server's description.
  package init(
    containerIdentifier: String, share: CKShare, acceptanceURL: URL? = nil, hierarchicalRootRecordID: CKRecord.ID?,
    rootRecord: CKRecord?, participantRole: CKShare.ParticipantRole,
    participantStatus: CKShare.ParticipantAcceptanceStatus, participantPermission: CKShare.ParticipantPermission,
    ownerIdentity: CKUserIdentity
  ) {
    self.containerIdentifier = containerIdentifier
    self.share = share
    self.acceptanceURL = acceptanceURL
    self.hierarchicalRootRecordID = hierarchicalRootRecordID
    self.rootRecord = rootRecord
    self.participantRole = participantRole
    self.participantStatus = participantStatus
    self.participantPermission = participantPermission
    self.ownerIdentity = ownerIdentity
    super.init()
  }

  /// The ID of the root record.
  ///
  /// - Difference: for a zone-wide share this is the ID of the share; Apple's is absent, though declared non-optional.
  @available(*, deprecated, renamed: "hierarchicalRootRecordID")
  open var rootRecordID: CKRecord.ID { hierarchicalRootRecordID ?? share.recordID }

  /// The old form of ``participantRole``.
  @available(*, deprecated, renamed: "participantRole")
  open var participantType: CKShare.ParticipantType { CKShare.ParticipantType(role: participantRole) }

  /// The container and the IDs.
  open override var description: String {
    "<CKShareMetadata: containerIdentifier=\(containerIdentifier), share=\(share.recordID.text), "
      + "rootRecordID=\(hierarchicalRootRecordID?.text ?? "nil"), participantStatus=\(participantStatus)>"
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads metadata from an archive; nil if the archive does not hold any.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Archive.self, forKey: Self.archiveKey),
      let shareState = RecordState(archive: archive.share), shareState.shareState != nil,
      let role = CKShare.ParticipantRole(rawValue: archive.participantRole),
      let status = CKShare.ParticipantAcceptanceStatus(rawValue: archive.participantStatus),
      let permission = CKShare.ParticipantPermission(rawValue: archive.participantPermission),
      let ownerIdentity = CKUserIdentity(archive: archive.ownerIdentity)
    else { return nil }
    containerIdentifier = archive.containerIdentifier
    share = CKShare(state: shareState)
    acceptanceURL = archive.acceptanceURL
    hierarchicalRootRecordID = archive.hierarchicalRootRecordID.flatMap(CKRecordID.init(archive:))
    rootRecord = archive.rootRecord.flatMap(RecordState.init(archive:)).map(CKRecord.make(state:))
    participantRole = role
    participantStatus = status
    participantPermission = permission
    self.ownerIdentity = ownerIdentity
    super.init()
  }

  /// Writes the metadata, with share and root record, to a keyed archive.
  open func encode(with coder: NSCoder) {
    let archive = Archive(
      containerIdentifier: containerIdentifier, share: share.state.archive(systemFieldsOnly: false),
      acceptanceURL: acceptanceURL, hierarchicalRootRecordID: hierarchicalRootRecordID?.archive,
      rootRecord: rootRecord?.state.archive(systemFieldsOnly: false), participantRole: participantRole.rawValue,
      participantStatus: participantStatus.rawValue, participantPermission: participantPermission.rawValue,
      ownerIdentity: ownerIdentity.archive)
    coder.encodePayload(archive, forKey: Self.archiveKey)
  }

  /// Returns the metadata itself, because it is immutable.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  private struct Archive: Codable {
    var containerIdentifier: String
    var share: RecordState.Archive
    var acceptanceURL: URL?
    var hierarchicalRootRecordID: CKRecordID.Archive?
    var rootRecord: RecordState.Archive?
    var participantRole: Int
    var participantStatus: Int
    var participantPermission: Int
    var ownerIdentity: CKUserIdentity.Archive
  }

  private static let archiveKey = "CKShareMetadata"
}
