import Foundation
import LocalCloudModel

/// The state of a share in addition to the fields of a record.
package struct ShareState: Sendable {
  /// The root of the shared hierarchy; nil in a zone-wide share.
  package var rootRecordID: CKRecordID?
  package var publicPermission: CKShare.ParticipantPermission
  /// The participants, the owner first. These are the objects that `CKShare.participants` returns.
  package var participants: [CKShareParticipant]
  /// The URL. The server assigns it at the first save.
  package var url: URL?
  package var allowsAccessRequests = false
  package var requesters: [CKShareAccessRequester] = []
  package var blockedIdentities: [CKShareBlockedIdentity] = []

  package init(
    rootRecordID: CKRecordID?, publicPermission: CKShare.ParticipantPermission = .none,
    participants: [CKShareParticipant], url: URL? = nil
  ) {
    self.rootRecordID = rootRecordID
    self.publicPermission = publicPermission
    self.participants = participants
    self.url = url
  }

  /// The state of a new share. Its only participant is its owner.
  static func new(rootRecordID: CKRecordID?, shareID: CKRecordID) -> ShareState {
    let owner = CKShareParticipant(
      state: ParticipantState(
        userIdentity: CKUserIdentity(
          userRecordID: CKRecordID(recordName: CKCurrentUserDefaultName), hasiCloudAccount: true),
        role: .owner, permission: .readWrite, acceptanceStatus: .accepted, isCurrentUser: true))
    owner.attach(to: shareID)
    return ShareState(rootRecordID: rootRecordID, participants: [owner])
  }

  /// Sets the public permission and applies its effects to the participants.
  mutating func setPublicPermission(_ permission: CKShare.ParticipantPermission) {
    let old = publicPermission
    publicPermission = permission
    if permission == old { return }
    let rule = SharePermission(number: permission.rawValue) ?? .unknown
    let kept = participants.filter { participant in
      let state = participant.state
      return rule.keeps(
        ParticipantRole(number: state.role.rawValue) ?? .unknown,
        AcceptanceStatus(number: state.acceptanceStatus.rawValue) ?? .unknown)
    }
    for participant in participants where !kept.contains(where: { $0 === participant }) { participant.detach() }
    participants = kept
    for participant in participants where participant.role == .publicUser { participant.permission = permission }
  }

  /// Adopts the server's state after a save. Retains the participant objects, because the app may hold them, and edits
  /// that were made since.
  mutating func adopt(server: ShareState, sent: ShareState, shareID: CKRecordID) {
    url = server.url
    rootRecordID = server.rootRecordID ?? rootRecordID
    if publicPermission == sent.publicPermission { publicPermission = server.publicPermission }
    if allowsAccessRequests == sent.allowsAccessRequests { allowsAccessRequests = server.allowsAccessRequests }
    requesters = Self.merge(requesters, server.requesters, sent.requesters)
    blockedIdentities = Self.merge(blockedIdentities, server.blockedIdentities, sent.blockedIdentities)
    var merged: [CKShareParticipant] = []
    for theirs in server.participants {
      let before = sent.participants.first { $0.isEqual(theirs) }?.state
      if let mine = participants.first(where: { $0.isEqual(theirs) }) {
        mine.adopt(server: theirs.state, sent: before)
        merged.append(mine)
      } else if before == nil {
        let newcomer = CKShareParticipant(state: theirs.state)
        newcomer.attach(to: shareID)
        merged.append(newcomer)
      }
    }
    for mine in participants where !merged.contains(where: { $0.isEqual(mine) }) {
      if sent.participants.contains(where: { $0.isEqual(mine) }) { mine.detach() } else { merged.append(mine) }
    }
    participants = merged
  }

  /// The server's list with the app's later removals and additions.
  private static func merge<Person: NSObject>(_ mine: [Person], _ server: [Person], _ sent: [Person]) -> [Person] {
    server.filter { person in mine.contains(person) || !sent.contains(person) }
      + mine.filter { person in !sent.contains(person) && !server.contains(person) }
  }

  /// A copy with copies of the participants.
  func detached(shareID: CKRecordID) -> ShareState {
    var copy = self
    copy.participants = participants.map { participant in
      let participant = CKShareParticipant(state: participant.state)
      participant.attach(to: shareID)
      return participant
    }
    return copy
  }
}

extension ShareState {
  struct Archive: Codable {
    var rootRecordID: CKRecordID.Archive?
    var publicPermission: Int
    var participants: [ParticipantState.Archive]
    var url: String?
    // Nil in archives of earlier versions.
    var allowsAccessRequests: Bool?
    var requesters: [CKUserIdentity.Archive]?
    var blockedIdentities: [CKUserIdentity.Archive]?
  }

  var archive: Archive {
    Archive(
      rootRecordID: rootRecordID?.archive, publicPermission: publicPermission.rawValue,
      participants: participants.map(\.state.archive), url: url?.absoluteString,
      allowsAccessRequests: allowsAccessRequests, requesters: requesters.map(\.userIdentity.archive),
      blockedIdentities: blockedIdentities.map(\.userIdentity.archive))
  }

  /// Nil if the archive is invalid, for example without exactly one owner.
  init?(archive: Archive, shareID: CKRecordID) {
    guard let publicPermission = CKShare.ParticipantPermission(rawValue: archive.publicPermission) else { return nil }
    let participants = archive.participants.compactMap(ParticipantState.init(archive:))
    guard participants.count == archive.participants.count, participants.filter({ $0.role == .owner }).count == 1
    else { return nil }
    var rootRecordID: CKRecordID?
    if let root = archive.rootRecordID {
      guard let root = CKRecordID(archive: root) else { return nil }
      rootRecordID = root
    }
    self.init(
      rootRecordID: rootRecordID, publicPermission: publicPermission,
      participants: participants.map(CKShareParticipant.init(state:)), url: archive.url.flatMap(URL.init(string:)))
    allowsAccessRequests = archive.allowsAccessRequests ?? false
    requesters = (archive.requesters ?? []).compactMap(CKUserIdentity.init(archive:))
      .map(CKShareAccessRequester.init(userIdentity:))
    blockedIdentities = (archive.blockedIdentities ?? []).compactMap(CKUserIdentity.init(archive:))
      .map(CKShareBlockedIdentity.init(userIdentity:))
    for participant in self.participants { participant.attach(to: shareID) }
  }
}
