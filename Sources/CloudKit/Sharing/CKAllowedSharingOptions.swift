import Foundation
import Synchronization

/// The choices that a sharing screen offers. They restrict only the screen; the server does not know them.
///
/// - Difference: `CKShareTransferRepresentation`, the type that hands a share to a sharing screen, is not here:
///   CoreTransferable exists on Apple's systems only.
// Sendable: both options are behind a mutex.
open class CKAllowedSharingOptions: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  private struct Options: Codable {
    var permission: UInt
    var access: UInt
    // Nil in archives of earlier versions.
    var invitesOthers: Bool? = false
    var accessRequests: Bool? = false
  }

  private let options: Mutex<Options>

  /// Makes a set of choices.
  public init(
    allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption,
    allowedParticipantAccessOptions: CKSharingParticipantAccessOption
  ) {
    options = Mutex(
      Options(
        permission: allowedParticipantPermissionOptions.rawValue, access: allowedParticipantAccessOptions.rawValue))
    super.init()
  }

  /// All permissions and all kinds of access.
  open class var standard: CKAllowedSharingOptions {
    CKAllowedSharingOptions(allowedParticipantPermissionOptions: .any, allowedParticipantAccessOptions: .any)
  }

  /// The permissions that the screen offers.
  open var allowedParticipantPermissionOptions: CKSharingParticipantPermissionOption {
    get { CKSharingParticipantPermissionOption(rawValue: options.withLock { $0.permission }) }
    set { options.withLock { $0.permission = newValue.rawValue } }
  }

  /// The kinds of access that the screen offers.
  open var allowedParticipantAccessOptions: CKSharingParticipantAccessOption {
    get { CKSharingParticipantAccessOption(rawValue: options.withLock { $0.access }) }
    set { options.withLock { $0.access = newValue.rawValue } }
  }

  /// Whether the screen offers to let participants invite others. The default is false.
  open var allowsParticipantsToInviteOthers: Bool {
    get { options.withLock { $0.invitesOthers ?? false } }
    set { options.withLock { $0.invitesOthers = newValue } }
  }

  /// Whether the screen offers to accept access requests. The default is false.
  open var allowsAccessRequests: Bool {
    get { options.withLock { $0.accessRequests ?? false } }
    set { options.withLock { $0.accessRequests = newValue } }
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads choices from an archive; nil if the archive does not hold any.
  public required init?(coder: NSCoder) {
    guard let archive = coder.decodePayload(Options.self, forKey: Self.archiveKey) else { return nil }
    options = Mutex(archive)
    super.init()
  }

  /// Writes the choices to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.encodePayload(options.withLock { $0 }, forKey: Self.archiveKey)
  }

  /// Returns an independent copy.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = CKAllowedSharingOptions(
      allowedParticipantPermissionOptions: allowedParticipantPermissionOptions,
      allowedParticipantAccessOptions: allowedParticipantAccessOptions)
    let present = options.withLock { $0 }
    copy.options.withLock { $0 = present }
    return copy
  }

  private static let archiveKey = "CKAllowedSharingOptions"
}
