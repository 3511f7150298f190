// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

extension CKRecordZone {
  /// The features of a zone on the server.
  public struct Capabilities: OptionSet, Sendable {
    /// The bits of the set.
    public let rawValue: UInt

    /// Makes a set from its bits.
    public init(rawValue: UInt) {
      self.rawValue = rawValue
    }

    /// Changes since a token can be fetched.
    public static let fetchChanges = Capabilities(rawValue: 1)

    /// Several records can be saved atomically.
    public static let atomic = Capabilities(rawValue: 2)

    /// Hierarchies of records can be shared.
    public static let sharing = Capabilities(rawValue: 4)

    /// The whole zone can be shared.
    public static let zoneWideSharing = Capabilities(rawValue: 8)
  }

  /// The keys that encrypt the values of a zone's records.
  public enum EncryptionScope: Int, Sendable {
    /// Each record has its own key; the default.
    case perRecord = 0

    /// All records use the zone's key. A zone of this kind allows only zone-wide sharing.
    case perZone = 1
  }
}

/// The name of the default zone, `_defaultZone`.
public let CKRecordZoneDefaultName = "_defaultZone"

/// The name for the current user in owner names and user record names: `__defaultOwner__`.
public let CKCurrentUserDefaultName = "__defaultOwner__"

/// The old name of `CKCurrentUserDefaultName`.
@available(*, deprecated, renamed: "CKCurrentUserDefaultName")
public let CKOwnerDefaultName = "__defaultOwner__"
