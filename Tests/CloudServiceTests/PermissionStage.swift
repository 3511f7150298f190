import CloudService
import CloudStore
import TestSupport

/// A cloud with one share, and somebody who comes to it in one of the ways of ``PermissionTable/Who``.
struct PermissionStage {
  let image: FolderImage
  let kind: PermissionTable.Kind
  let who: PermissionTable.Who

  static let people = ["alice", "bob", "carol", "dora"]

  /// Alice shares, Bob is the one in question, Carol takes part beside him.
  init(_ kind: PermissionTable.Kind, _ who: PermissionTable.Who) throws {
    (self.kind, self.who) = (kind, who)
    let cloud = try TemporaryCloud(accounts: Self.people)
    let alice = Person(cloud, "alice")
    try alice.makeZone()
    for (name, parent) in [("root", nil), ("child", "root"), ("outside", nil)] as [(ExactName, ExactName?)] {
      try alice.save(alice.note(name, "1", parent: parent.map { .set($0, zone: nil) } ?? .keep))
    }
    var share = try Self.share(kind, who, alice)
    for account in ["carol", "bob"] where account == "carol" || who.joins {
      try Person(cloud, account).inShared(zoneOf: alice).accept(share)
    }
    if who == .removed {
      share = try alice.fetch(share.id.name)
      let user = try cloud.service.userRecordName(by: cloud.caller("bob"))
      try alice.save(
        RecordSave(
          id: share.id, type: Record.shareType, changeTag: share.changeTag,
          share: ShareSave(
            root: nil,
            participants: share.shareDetails?.participants.filter { $0.identity.userRecordName != user } ?? [])))
    }
    if who == .left {
      _ = try Person(cloud, "bob").inShared(zoneOf: alice).modify(delete: [share.id.name]).deletes[0].get()
    }
    image = try FolderImage(of: cloud.path)
  }

  private static func share(
    _ kind: PermissionTable.Kind, _ who: PermissionTable.Who, _ alice: Person
  ) throws -> Record {
    var people: [(String, SharePermission)] = who.publicPermission == .none ? [("carol", .readWrite)] : []
    if let permission = who.ownPermission { people.append(("bob", permission)) }
    let participants = try people.map { account, permission in
      var participant = try alice.service.participants(
        for: [.email("\(account)@example.com")], by: alice.caller)[0].get()
      participant.permission = permission
      return participant
    }
    let root: ExactName? = kind == .hierarchical ? "root" : nil
    let save = RecordSave(
      id: alice.id(kind.shareName), type: Record.shareType,
      share: ShareSave(root: root, publicPermission: who.publicPermission, participants: participants))
    let rootSave = try root.map { alice.note($0, tag: try alice.fetch($0).changeTag) }
    return try alice.modify([save] + [rootSave].compactMap { $0 }).saves[0].get()
  }
}

extension PermissionTable.Kind {
  var shareName: ExactName { self == .hierarchical ? "share" : "cloudkit.zoneshare" }
}

extension PermissionTable.Who {
  var joins: Bool { [.writer, .reader, .removed, .left, .linkReader, .linkWriter].contains(self) }

  var ownPermission: SharePermission? {
    switch self {
    case .writer, .pending, .removed, .left: .readWrite
    case .reader: .readOnly
    case .owner, .linkReader, .linkWriter, .stranger, .signedOut: nil
    }
  }

  var publicPermission: SharePermission {
    switch self {
    case .linkReader: .readOnly
    case .linkWriter: .readWrite
    default: .none
    }
  }
}
