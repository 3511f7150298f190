import CloudKit

/// A small terminal program: `Contacts add "Ada" 555-0100`, `Contacts list`, `Contacts share "Ada" bob@example.com`…
@main
enum Contacts {
  static let usage = """
    usage: Contacts add NAME PHONE | list | set NAME PHONE | delete NAME
           Contacts share NAME [ADDRESS] [--read-only] | people NAME | remove NAME ADDRESS
           Contacts accept URL | listen COUNT | stop NAME | leave NAME
           Contacts account COUNT | sheet COUNT
           Contacts subscribe | follow COUNT
           Contacts groups | group GROUP make | add NAME PHONE | list | share [ADDRESS] | open | people | stop | leave
    """

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    let isReadOnly = arguments.contains("--read-only")
    arguments.removeAll { $0 == "--read-only" }
    do {
      try await run(arguments, permission: isReadOnly ? .readOnly : .readWrite)
    } catch {
      FileHandle.standardError.write(Data((describe(error) + "\n").utf8))
      exit(1)
    }
  }

  static func run(_ arguments: [String], permission: CKShare.ParticipantPermission) async throws {
    let store = ContactStore()
    let words = Array(arguments.dropFirst())
    switch (arguments.first, words.count) {
    case ("add", 2):
      try await store.prepare()
      show(try await store.add(name: words[0], phoneNumber: words[1]))
    case ("list", 0):
      try await store.prepare()
      print("My contacts:")
      try await store.privateContacts().forEach(show)
      print("Shared with me:")
      try await store.sharedContacts().forEach(show)
    case ("set", 2):
      show(try await store.setPhoneNumber(words[1], of: words[0]))
    case ("delete", 1):
      try await store.delete(words[0])
    case ("share", 1), ("share", 2):
      var share = try await store.share(words[0])
      if words.count == 2 { share = try await store.invite(words[1], to: share, permission: permission) }
      print(share.url?.absoluteString ?? "no URL")
    case ("people", 1):
      try await store.currentShare(of: words[0]).participants.forEach(show)
    case ("remove", 2):
      try await store.remove(words[1], from: try await store.currentShare(of: words[0]))
    case ("accept", 1):
      guard let url = URL(string: words[0]) else { throw CKError(.invalidArguments) }
      showJoined(try await store.accept(url))
    case ("listen", 1):
      try await store.joinOpenedShares(Int(words[0]) ?? 1) { result in
        switch result {
        case .success(let share): showJoined(share)
        case .failure(let error): FileHandle.standardError.write(Data((describe(error) + "\n").utf8))
        }
      }
    case ("account", 1):
      try await store.followAccount(Int(words[0]) ?? 1) { line in
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
      }
    case ("sheet", 1):
      await store.followSharingSheet(Int(words[0]) ?? 1) { line in
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
      }
    case ("subscribe", 0):
      try await store.subscribe()
    case ("follow", 1):
      try await store.followPushes(Int(words[0]) ?? 1) { scope, contacts in
        print(scope == .shared ? "Changed by somebody else:" : "Changed on another device of mine:")
        contacts.forEach(show)
      }
    case ("groups", 0):
      for group in try await store.groups() {
        print("  \(group.zone.zoneID.zoneName)\(group.isShared ? "  (shared)" : "")")
      }
    case ("group", 2...):
      try await run(group: words[0], words[1], Array(words.dropFirst(2)), permission)
    case ("stop", 1):
      try await store.stopSharing(words[0])
    case ("leave", 1):
      try await store.leave(words[0])
    default:
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
  }

  /// Commands about one group.
  private static func run(
    group name: String, _ command: String, _ words: [String], _ permission: CKShare.ParticipantPermission
  ) async throws {
    let store = ContactStore()
    if (command, words.count) == ("make", 0) {
      let group = try await store.makeGroup(name)
      return print("  \(group.zone.zoneID.zoneName)")
    }
    let group = try await store.group(named: name)
    switch (command, words.count) {
    case ("add", 2):
      show(
        try await store.add(name: words[0], phoneNumber: words[1], to: group.zone.zoneID, of: group.database))
    case ("list", 0):
      try await store.contacts(in: group).forEach(show)
    case ("share", 0), ("share", 1):
      var share = try await store.share(group)
      if words.count == 1 { share = try await store.invite(words[0], to: share, permission: permission) }
      print(share.url?.absoluteString ?? "no URL")
    case ("open", 0):
      let share = try await store.share(group)
      try await store.open(share, permission)
      print(share.url?.absoluteString ?? "no URL")
    case ("people", 0):
      try await store.currentShare(of: group)?.participants.forEach(show)
    case ("stop", 0), ("leave", 0):
      try await store.deleteShare(of: group)
    default:
      FileHandle.standardError.write(Data((usage + "\n").utf8))
      exit(64)
    }
  }

  private static func showJoined(_ share: CKShare) {
    let isGroup = share.recordID.recordName == CKRecordNameZoneWideShare
    print("Joined \(isGroup ? "the group " : "")\(share[CKShare.SystemFieldKey.title] as? String ?? "a share")")
  }

  private static func show(_ contact: CKRecord) {
    let name = contact["name"] as? String ?? "?"
    let phoneNumber = contact["phoneNumber"] as? String ?? "?"
    print("  \(name)  \(phoneNumber)\(contact.share == nil ? "" : "  (shared)")")
  }

  private static func show(_ participant: CKShare.Participant) {
    let identity = participant.userIdentity
    let name = [identity.nameComponents?.givenName, identity.nameComponents?.familyName].compactMap { $0 }
      .joined(separator: " ")
    let who = name.isEmpty ? identity.lookupInfo?.emailAddress ?? identity.lookupInfo?.phoneNumber ?? "somebody" : name
    print("  \(who): \(participant.role.text), \(participant.acceptanceStatus.text), \(participant.permission.text)")
  }

  private static func describe(_ error: any Error) -> String {
    guard let error = error as? CKError else { return "Contacts: \(error)" }
    return "Contacts: CKError \(error.errorCode): \(error.localizedDescription)"
  }
}

extension CKShare.ParticipantRole {
  fileprivate var text: String {
    switch self {
    case .owner: "owner"
    case .privateUser: "invited"
    case .publicUser: "by link"
    default: "unknown role"
    }
  }
}

extension CKShare.ParticipantAcceptanceStatus {
  fileprivate var text: String {
    switch self {
    case .accepted: "accepted"
    case .pending: "pending"
    case .removed: "removed"
    default: "unknown status"
    }
  }
}

extension CKShare.ParticipantPermission {
  fileprivate var text: String {
    switch self {
    case .readOnly: "may read"
    case .readWrite: "may read and write"
    case .none: "no access"
    default: "unknown permission"
    }
  }
}
