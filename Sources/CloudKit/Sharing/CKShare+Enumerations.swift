// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension CKShare {
  /// The role of a participant.
  public enum ParticipantRole: Int, Sendable {
    /// Not known.
    case unknown = 0

    /// The owner of the zone that holds the share.
    case owner = 1

    /// A participant that may edit the list of participants.
    case administrator = 2

    /// A participant invited individually.
    case privateUser = 3

    /// A participant that joined by the link of a public share.
    case publicUser = 4
  }

  /// The old form of ``ParticipantRole``.
  @available(*, deprecated, renamed: "ParticipantRole")
  public enum ParticipantType: Int, Sendable {
    /// Not known.
    case unknown = 0

    /// The owner of the zone that holds the share.
    case owner = 1

    /// A participant invited individually.
    case privateUser = 3

    /// A participant that joined by the link of a public share.
    case publicUser = 4
  }

  /// The permission of a participant for shared records.
  public enum ParticipantPermission: Int, Sendable {
    /// Not known; cannot be set on a share.
    case unknown = 0

    /// No access.
    case none = 1

    /// Fetches records.
    case readOnly = 2

    /// Fetches, saves and deletes records.
    case readWrite = 3
  }

  /// Whether a participant accepted the invitation.
  public enum ParticipantAcceptanceStatus: Int, Sendable {
    /// Not known, because the share with this entry was not saved yet.
    case unknown = 0

    /// Invited, but not accepted yet.
    case pending = 1

    /// Accepted: the participant can see the records.
    case accepted = 2

    /// Removed from the share.
    case removed = 3
  }

  /// The keys of a share's own fields, for invitations and sharing screens.
  public enum SystemFieldKey {
    /// The title of the shared content, a string.
    public static let title: CKRecord.FieldKey = "cloudkit.title"

    /// A picture of the shared content, as data.
    ///
    /// - Assumption: the key is `cloudkit.thumbnailImageData`; Apple documents only the constant.
    public static let thumbnailImageData: CKRecord.FieldKey = "cloudkit.thumbnailImageData"

    /// The kind of the shared content, a uniform type identifier.
    ///
    /// - Assumption: the key is `cloudkit.type`; Apple documents only the constant.
    public static let shareType: CKRecord.FieldKey = "cloudkit.type"
  }
}

/// The same as `CKShare.SystemFieldKey.title`.
public let CKShareTitleKey: String = CKShare.SystemFieldKey.title

/// The same as `CKShare.SystemFieldKey.thumbnailImageData`.
public let CKShareThumbnailImageDataKey: String = CKShare.SystemFieldKey.thumbnailImageData

/// The same as `CKShare.SystemFieldKey.shareType`.
public let CKShareTypeKey: String = CKShare.SystemFieldKey.shareType

@available(*, deprecated)
extension CKShare.ParticipantType {
  init(role: CKShare.ParticipantRole) {
    switch role {
    case .unknown: self = .unknown
    case .owner: self = .owner
    case .administrator, .privateUser: self = .privateUser
    case .publicUser: self = .publicUser
    }
  }

  var role: CKShare.ParticipantRole {
    switch self {
    case .unknown: .unknown
    case .owner: .owner
    case .privateUser: .privateUser
    case .publicUser: .publicUser
    }
  }
}
