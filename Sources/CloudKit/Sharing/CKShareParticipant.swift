import Foundation
import Synchronization

/// A participant of a share: the identity, the acceptance status and the permission of one person.
///
/// Participants come from a share or from looking people up; apps cannot make them. Changes of ``permission`` and
/// ``role`` take effect when the share is saved.
///
/// Two participants are equal if they are the same person, that is, if the participant IDs, the user record IDs or the
/// lookup infos match. Role, permission and status do not count.
// Sendable: the whole state is one value behind a mutex.
open class CKShareParticipant: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// Identifies the entry in its share.
  public typealias ID = String

  /// The role of a participant.
  public typealias Role = CKShare.ParticipantRole

  /// The former name of ``Role``.
  @available(*, deprecated, renamed: "Role")
  public typealias ParticipantType = CKShare.ParticipantType

  /// The permission of a participant.
  public typealias Permission = CKShare.ParticipantPermission

  /// Whether a participant accepted the invitation.
  public typealias AcceptanceStatus = CKShare.ParticipantAcceptanceStatus

  private struct Guarded {
    var state: ParticipantState
    /// The share that holds the object.
    var shareID: CKRecordID?
  }

  private let storage: Mutex<Guarded>

  /// Makes a participant with that state, on no share.
  package init(state: ParticipantState) {
    storage = Mutex(Guarded(state: state))
    super.init()
  }

  /// A copy of the participant's state.
  package var state: ParticipantState { storage.withLock { $0.state } }

  /// Identifies the entry in its share; stays the same as long as the entry exists.
  public final var participantID: CKShare.Participant.ID { storage.withLock { $0.state.participantID } }

  /// The identity of the person.
  open var userIdentity: CKUserIdentity { storage.withLock { $0.state.userIdentity } }

  /// The role of the participant; `.privateUser` after a lookup.
  ///
  /// - Difference: there are no systems from before administrators; they would get a share with an administrator as
  ///   read-only.
  open var role: CKShare.ParticipantRole {
    get { storage.withLock { $0.state.role } }
    set { storage.withLock { $0.state.role = newValue } }
  }

  /// The old form of ``role``; an administrator reads as a private user.
  @available(*, deprecated, renamed: "role")
  open var type: CKShare.ParticipantType {
    get { CKShare.ParticipantType(role: role) }
    set { role = newValue.role }
  }

  /// Whether the participant accepted; `.unknown` until the share is saved.
  ///
  /// - Assumption: `.removed` is never seen: a removed participant is not on the list.
  open var acceptanceStatus: CKShare.ParticipantAcceptanceStatus { storage.withLock { $0.state.acceptanceStatus } }

  /// The permission of the participant for shared records; `.readOnly` after a lookup.
  open var permission: CKShare.ParticipantPermission {
    get { storage.withLock { $0.state.permission } }
    set { storage.withLock { $0.state.permission = newValue } }
  }

  /// Whether the person requested access before being invited.
  public final var isApprovedRequester: Bool { storage.withLock { $0.state.isApprovedRequester } }

  /// The time of the first save of the entry; nil before.
  public final var dateAddedToShare: Date? { storage.withLock { $0.state.dateAddedToShare } }

  /// Makes an entry for a person without a known address. Set its permission, add it to a share and save the share:
  /// then `CKShare.oneTimeURL(for:)` returns the link. The first user of the link becomes this participant.
  @discardableResult
  open class func oneTimeURLParticipant() -> Self {
    let participant = CKShareParticipant(state: ParticipantState(userIdentity: CKUserIdentity(hasiCloudAccount: false)))
    // Code outside this module cannot make objects of a subclass.
    guard let participant = participant as? Self else { raise("\(Self.self) cannot be made") }
    return participant
  }

  // MARK: The share that holds it

  var shareID: CKRecordID? { storage.withLock { $0.shareID } }

  func attach(to shareID: CKRecordID) {
    storage.withLock { $0.shareID = shareID }
  }

  /// Called when the app puts the participant on a share. A former participant of the share is invited anew.
  func invite(to shareID: CKRecordID) {
    storage.withLock {
      $0.shareID = shareID
      $0.state.acceptanceStatus = .unknown
    }
  }

  func detach() {
    storage.withLock { $0.shareID = nil }
  }

  /// Adopts the server's state after a save. A role or permission that was edited since the save is retained.
  func adopt(server: ParticipantState, sent: ParticipantState?) {
    storage.withLock { guarded in
      let mine = guarded.state
      guarded.state = server
      guard let sent else { return }
      if mine.role != sent.role { guarded.state.role = mine.role }
      if mine.permission != sent.permission { guarded.state.permission = mine.permission }
    }
  }

  // MARK: Equality

  /// True for the same person, whatever the role, permission and status.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? CKShareParticipant else { return false }
    if other === self { return true }
    let mine = state
    let theirs = other.state
    if mine.participantID == theirs.participantID { return true }
    return mine.userIdentity.isSamePerson(as: theirs.userIdentity)
  }

  /// A constant: participants are equal if any of three attributes matches, so no attribute can be hashed.
  open override var hash: Int { 0x434B_5350 }

  /// Role, permission and status, without the name.
  open override var description: String {
    let state = state
    return "<CKShareParticipant: participantID=\(state.participantID), role=\(state.role), "
      + "permission=\(state.permission), acceptanceStatus=\(state.acceptanceStatus)>"
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a participant from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(ParticipantState.Archive.self, forKey: Self.archiveKey),
      let state = ParticipantState(archive: archive)
    else { return nil }
    storage = Mutex(Guarded(state: state))
    super.init()
  }

  /// Writes the participant to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(state.archive, forKey: Self.archiveKey)
  }

  /// Returns an independent copy, on no share.
  open func copy(with zone: NSZone? = nil) -> Any {
    CKShareParticipant(state: state)
  }

  private static let archiveKey = "CKShareParticipant"
}
