import LocalCloudModel

extension SharePermission {
  /// The permission, as options spell it.
  var text: String { "\(self)" }

  static let publicNames = [SharePermission.none, .readOnly, .readWrite].map(\.text)
  static let names = [SharePermission.readOnly, .readWrite].map(\.text)

  init?(text: String) {
    guard let permission = Self.allCases.first(where: { $0.text == text }) else { return nil }
    self = permission
  }
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
