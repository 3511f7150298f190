import LocalCloudModel

/// Formats shares for people.
struct ShareText {
  let people: People

  /// Formats a share's own details. ``RecordText`` formats its record.
  func details(_ record: Record) -> StyledText {
    var list = DetailList("share \(record.id.name, .bold)")
    list.add("title", record.fields["cloudkit.title"]?.text)
    list.add("zone", RecordText(people: people).zoneName(record.id.zone))
    list.add("tag", record.changeTag)
    return parts(record.shareDetails ?? ShareDetails(), after: list)
  }

  /// Formats the root, the link, the public permission, the access requests and the list of participants.
  func parts(_ details: ShareDetails, after list: DetailList = DetailList()) -> StyledText {
    var list = list
    list.add("root", details.root?.string)
    list.add("link", details.url)
    list.add("others", others(details))
    list.add("waiting", names(details.accessRequests.requesters))
    list.add("blocked", names(details.accessRequests.blocked))
    return list.text + "\n" + participants(details).aligned()
  }

  private func account(of participant: Participant) -> String {
    Self.placeholder(participant) ?? people.name(of: participant.identity.userRecordName)
  }

  /// The text for a participant that the first account with a link becomes; nil for any other one.
  static func placeholder(_ participant: Participant) -> String? {
    participant.shortGUID != nil && !participant.identity.hasAccount ? "first to come" : nil
  }

  private func names(_ list: [UserIdentity]) -> String? {
    list.isEmpty ? nil : list.map { people.name(of: $0.userRecordName) }.joined(separator: ", ")
  }

  func participants(_ details: ShareDetails) -> Table {
    Table(
      ["participant", "role", "status", "permission", "address"],
      rows: details.participants.map { participant in
        [
          account(of: participant), participant.role.text, participant.acceptance.text, participant.permission.text,
          participant.identity.lookup?.text ?? details.oneTimeURL(of: participant) ?? "",
        ]
      })
  }

  /// The participant's name that every command accepts: the account; without one, the address; without both, the
  /// participant's ID.
  func name(of participant: Participant) -> String {
    let name = name(of: participant.identity)
    return name.isEmpty ? participant.participantID : name
  }

  /// The account; without one, the address; empty if neither is known.
  func name(of identity: UserIdentity) -> String {
    let account = people.name(of: identity.userRecordName)
    return account.isEmpty ? identity.lookup?.text ?? "" : account
  }

  private func others(_ details: ShareDetails) -> String {
    Self.publicAccess(details)
      ?? (details.accessRequests.areAllowed
        ? "only who is invited may join; others may ask to" : "only who is invited may join")
  }

  /// The access of accounts that are not invited and have the link; nil if they have none.
  static func publicAccess(_ details: ShareDetails) -> String? {
    switch details.publicPermission {
    case .none, .unknown: nil
    case .readOnly: "whoever has the link may join and read"
    case .readWrite: "whoever has the link may join and write"
    }
  }
}
