/// The permissions that a sharing screen offers.
///
/// - Assumption: the raw values; Apple documents only the constants.
public struct CKSharingParticipantPermissionOption: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Fetching records.
  public static let readOnly = CKSharingParticipantPermissionOption(rawValue: 1)

  /// Fetching and changing records.
  public static let readWrite = CKSharingParticipantPermissionOption(rawValue: 2)

  /// Both.
  public static let any: CKSharingParticipantPermissionOption = [.readOnly, .readWrite]
}

/// The kinds of access that a sharing screen offers.
///
/// - Assumption: the raw values; Apple documents only the constants.
public struct CKSharingParticipantAccessOption: OptionSet, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Every person that has the link.
  public static let anyoneWithLink = CKSharingParticipantAccessOption(rawValue: 1)

  /// The people invited individually.
  public static let specifiedRecipientsOnly = CKSharingParticipantAccessOption(rawValue: 2)

  /// Both.
  public static let any: CKSharingParticipantAccessOption = [.anyoneWithLink, .specifiedRecipientsOnly]
}
