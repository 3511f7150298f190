import Foundation

/// The complete state of a participant, as a value type.
package struct ParticipantState: Sendable {
  package var participantID: String
  package var userIdentity: CKUserIdentity
  package var role: CKShare.ParticipantRole
  package var permission: CKShare.ParticipantPermission
  package var acceptanceStatus: CKShare.ParticipantAcceptanceStatus
  /// Whether this is the entry of the account that fetched or made the share.
  package var isCurrentUser: Bool
  /// The one-time link. Its first user becomes this participant.
  package var oneTimeURL: URL?
  package var isApprovedRequester = false
  package var dateAddedToShare: Date?

  package init(
    participantID: String = UUID().uuidString, userIdentity: CKUserIdentity,
    role: CKShare.ParticipantRole = .privateUser,
    permission: CKShare.ParticipantPermission = .readOnly,
    acceptanceStatus: CKShare.ParticipantAcceptanceStatus = .unknown, isCurrentUser: Bool = false
  ) {
    self.participantID = participantID
    self.userIdentity = userIdentity
    self.role = role
    self.permission = permission
    self.acceptanceStatus = acceptanceStatus
    self.isCurrentUser = isCurrentUser
  }
}

extension ParticipantState {
  struct Archive: Codable {
    var participantID: String
    var userIdentity: CKUserIdentity.Archive
    var role: Int
    var permission: Int
    var acceptanceStatus: Int
    var isCurrentUser: Bool
    // Nil in archives of earlier versions.
    var oneTimeURL: URL?
    var isApprovedRequester: Bool?
    var dateAddedToShare: Date?
  }

  var archive: Archive {
    Archive(
      participantID: participantID, userIdentity: userIdentity.archive, role: role.rawValue,
      permission: permission.rawValue, acceptanceStatus: acceptanceStatus.rawValue, isCurrentUser: isCurrentUser,
      oneTimeURL: oneTimeURL, isApprovedRequester: isApprovedRequester, dateAddedToShare: dateAddedToShare)
  }

  init?(archive: Archive) {
    guard let userIdentity = CKUserIdentity(archive: archive.userIdentity),
      let role = CKShare.ParticipantRole(rawValue: archive.role),
      let permission = CKShare.ParticipantPermission(rawValue: archive.permission),
      let acceptanceStatus = CKShare.ParticipantAcceptanceStatus(rawValue: archive.acceptanceStatus)
    else { return nil }
    self.init(
      participantID: archive.participantID, userIdentity: userIdentity, role: role, permission: permission,
      acceptanceStatus: acceptanceStatus, isCurrentUser: archive.isCurrentUser)
    oneTimeURL = archive.oneTimeURL
    isApprovedRequester = archive.isApprovedRequester ?? false
    dateAddedToShare = archive.dateAddedToShare
  }
}
