import CloudService
import CloudStore
import Platform

/// The cloud that is attacked, made once and kept in memory.
package struct AttackStage: Sendable {
  package let image: FolderImage

  private static let made = Result { try AttackStage() }
  package static var shared: AttackStage { get throws { try made.get() } }

  /// Alice shares a tree with Bob, who accepted, and Carol, who did not yet; a zone of hers was deleted, another one she
  /// shares as a whole with Bob.
  private init() throws {
    let cloud = try TemporaryCloud(accounts: ["alice", "bob", "carol", "dora"])
    let people = AttackPeople(cloud.service)
    try people.makeZone()
    try people.makeZone(ZoneIdentifier(name: "Old"))
    try people.deleteZone(ZoneIdentifier(name: "Old"))
    let invited = try cloud.service.participants(
      for: [.email("bob@example.com"), .email("carol@example.com")], by: cloud.caller("alice")
    ).map { result in
      var participant = try result.get()
      participant.permission = .readWrite
      return participant
    }
    try people.modify([
      people.note("root", "1"), people.note("child", "1", parent: .set("root", zone: nil)),
      people.share("root", as: "share", with: invited), people.note("target", "1"), people.note("loner", "1"),
    ])
    try people.modify([
      RecordSave(
        id: RecordIdentifier(name: "owned", zone: AttackPeople.zone), type: "Note",
        fields: ["target": .reference(ReferenceValue(record: "target", action: .deleteSelf))])
    ])
    try people.accept(by: "bob")
    try people.open(by: "bob")
    for zone in [AttackPeople.plain, AttackPeople.whole] {
      try people.makeZone(zone)
      try people.modify([people.note("inside", "1", zone: zone)])
    }
    try people.modify([people.shareWhole(with: Array(invited.prefix(1)))])
    try people.accept(by: "bob", Record.zoneWideShareName, in: AttackPeople.whole)
    try cloud.service.cloud.withFolder("devices", LockPatience()) { folder in
      try folder.write(["drawn": 7], "phone", "identifiers.json")
    }
    // Looking makes what is made at the first look.
    _ = try AttackStory(people)
    image = try FolderImage(of: cloud.path)
  }
}
