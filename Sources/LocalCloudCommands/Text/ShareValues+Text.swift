import LocalCloudModel

extension SharePermission {
  /// The permission, as options spell it.
  var text: String { "\(self)" }
  /// The effect for a participant.
  var verb: String {
    switch self {
    case .readWrite: "writes"
    case .readOnly: "reads"
    case .none, .unknown: "no access"
    }
  }

  /// The permissions of everybody with the link.
  static let publicCases = [SharePermission.none, .readOnly, .readWrite]
  /// The permissions of an invited participant.
  static let privateCases = [SharePermission.readOnly, .readWrite]
}

extension ParticipantRole {
  var text: String {
    switch self {
    case .unknown: "unknown"
    case .owner: "owner"
    case .administrator: "administrator"
    case .privateUser: "invited"
    case .publicUser: "by link"
    }
  }
}

extension AcceptanceStatus {
  var text: String { "\(self)" }
}
