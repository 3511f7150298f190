import Foundation
import LocalCloudService
import TestSupport
import Testing

/// The program of document 002, feature by feature, with a process for each command.
@Suite("Photos: commands", .serialized, .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct FlowTests {
  @Test("all devices of a person have the photos with their bytes, thumbnails, ratings and tags")
  func ownPhotos() async throws {
    try await PhotosStage.run { stage in
      try await stage.phone.add("Beach", "--tag", "sea", "--tag", "summer", width: 3, height: 2)
      try await stage.tablet.add("Panorama", "--tag", "sea", width: 800, height: 600)
      try await stage.phone.run("rate", "Panorama", "4")
      try await stage.tablet.run("rate", "Panorama", "5")
      for device in [stage.phone, stage.tablet] {
        #expect(try await device.run("list") == ["Beach  #sea  #summer", "Panorama  ★ 4.5  #sea"])
        #expect(try await device.run("list", "--tag", "summer") == ["Beach  #sea  #summer"])
        #expect(try await device.run("tags") == ["sea: 2", "summer: 1"])
        let shown = try await device.run("show", "Panorama")
        #expect(shown.contains("file: 1440027 bytes"))
        #expect(shown.contains("thumbnail: 16 x 12"))
        #expect(shown.contains("rating: ★ 4.5 of 2"))
        #expect(shown.contains("editable: yes"))
      }
      let saved = "\(stage.phone.folder)/saved.ppm"
      try await stage.phone.run("save", "Panorama", saved)
      let bytes = try Data(contentsOf: URL(fileURLWithPath: saved))
      #expect(bytes.count == 1_440_027)
      #expect(bytes.suffix(1_440_000).allSatisfy { $0 == 7 })
      try FileManager.default.removeItem(atPath: saved)

      try await stage.phone.run("untag", "Beach", "summer")
      try await stage.tablet.run("tag", "Beach", "sand")
      #expect(try await stage.phone.run("list") == ["Beach  #sand  #sea", "Panorama  ★ 4.5  #sea"])
      try await stage.phone.run("delete", "Panorama")
      #expect(try await stage.tablet.run("list") == ["Beach  #sand  #sea"])
      #expect(try await stage.tablet.run("tags") == ["sand: 1", "sea: 1", "summer: 0"])
    }
  }

  @Test("refused commands exit with a message")
  func refusedCommandsExitWithAMessage() async throws {
    try await PhotosStage.run { stage in
      try await stage.phone.add("Beach")
      #expect(try await stage.phone.refused("show", "Cat").contains("there is no photo \"Cat\""))
      #expect(try await stage.phone.refused("untag", "Beach", "sea").contains("\"Beach\" has no tag \"sea\""))
      #expect(try await stage.phone.refused("people", "Holiday").contains("there is no share \"Holiday\""))
      #expect(try await stage.phone.refused("accept", "nothing").contains("is no link of a share"))
      #expect(try await stage.phone.refused("add", "/no/such/file", "Cat").contains("/no/such/file can't be used"))
      for misused in [
        ["rate", "Beach", "6"], ["share", "Beach", "--public", "all"], ["frame", "Beach"], ["list", "-"],
      ] {
        let ended = try await stage.phone.end(misused)
        #expect(ended.status == 64, "\(misused)")
        #expect(ended.errors.contains("usage: Photos"), "\(misused)")
      }
    }
  }

  // Feature 2.1: invitations, permissions, acceptance, removal, copies.
  @Test("participants of a share have their permissions, and changes of permissions take effect [sample-1]")
  func participantsOfAShareHaveTheirPermissions() async throws {
    try await PhotosStage.run { stage in
      let (alice, bob, carol) = (stage.phone, stage.bob, stage.carol)
      try await alice.add("Beach", "--tag", "sea")
      try await alice.add("Dog", "--tag", "sea")
      let url = try #require(try await alice.run("share", "Beach", "--named", "Holiday").first)
      #expect(try await alice.run("link", "Holiday") == [url])
      #expect(try await bob.refused("accept", url).contains("CKError 11"))
      try await alice.run("invite", "Holiday", "bob@example.com")
      try await alice.run("invite", "Holiday", "carol@example.com", "--read-only")
      #expect(try await bob.run("accept", url) == ["Joined Holiday"])
      #expect(try await carol.run("accept", url) == ["Joined Holiday"])
      let everybody = [
        "Alice: owner, accepted, may read and write", "Bob: invited, accepted, may read and write",
        "Carol: invited, accepted, may read",
      ]
      for device in [alice, stage.tablet, bob, carol] {
        #expect(try await device.run("people", "Holiday").sorted() == everybody)
      }

      try await bob.run("rate", "Beach", "5")
      try await bob.run("tag", "Beach", "sand")
      for device in [stage.tablet, bob, carol] {
        #expect(try await device.run("list").first == "Beach  ★ 5.0  #sand  #sea  (Holiday)")
      }
      let names = try await [stage.phone, stage.tablet, bob, carol].asyncMap { try await $0.run("show", "Beach")[1] }
      #expect(Set(names).count == 1)
      #expect(try await carol.run("list").count == 1, "a photo with the same tag is not taken along")
      for refused in [["rate", "Beach", "1"], ["tag", "Beach", "sun"], ["untag", "Beach", "sea"]] {
        let ended = try await carol.end(refused)
        #expect(ended.status == 1, "\(refused)")
        #expect(ended.errors.contains("is shared with you for reading"), "\(refused)")
      }
      #expect(try await carol.refused("delete", "Beach").contains("to be rid of it leave its share"))
      #expect(try await bob.refused("share", "Beach").contains("somebody else's"))
      #expect(try await alice.refused("share", "Beach").contains("is shared already"))
      #expect(try await bob.refused("stop", "Holiday").contains("somebody else's share"))
      #expect(try await alice.refused("leave", "Holiday").contains("your own share"))

      try await alice.run("permission", "Holiday", "carol@example.com", "write")
      try await carol.run("rate", "Beach", "3")
      #expect(try await alice.run("list").first == "Beach  ★ 4.0  #sand  #sea  (Holiday)")
      try await alice.run("remove", "Holiday", "carol@example.com")
      #expect(try await carol.run("list") == [])
      #expect(try await alice.run("people", "Holiday") == Array(everybody.prefix(2)))
      let gone = try await alice.refused("permission", "Holiday", "carol@example.com", "write")
      #expect(gone.contains("takes no part"))
    }
  }

  @Test("a participant that leaves and an owner that stops sharing may keep deep copies")
  func participantThatLeavesAndAnOwner() async throws {
    try await PhotosStage.run { stage in
      let (alice, bob) = (stage.phone, stage.bob)
      try await alice.add("Beach", "--tag", "sea", width: 40, height: 20)
      try await alice.add("Dog", "--tag", "sea")
      let url = try #require(try await alice.run("share", "Beach", "--named", "Holiday", "--public", "write").first)
      #expect(try await alice.refused("invite", "Holiday", "bob@example.com").contains("nobody can be invited"))
      #expect(try await bob.run("accept", url) == ["Joined Holiday"])
      #expect(try await alice.run("share", "Dog", "--into", "Holiday") == [url])
      try await bob.run("rate", "Dog", "2")
      #expect(
        try await bob.run("list") == ["Beach  #sea  (Holiday)", "Dog  ★ 2.0  #sea  (Holiday)"])
      // One of the two tags remains, in the share's zone.
      let tags = try await alice.run("tags")
      #expect(tags.contains("sea: 2  (Holiday)"), "\(tags)")

      try await bob.run("leave", "Holiday", "--keep")
      #expect(try await bob.run("list") == ["Beach  #sea", "Dog  ★ 2.0  #sea"])
      #expect(try await bob.run("tags") == ["sea: 2"])
      #expect(try await bob.run("show", "Beach").contains("thumbnail: 16 x 8"))
      #expect(try await bob.run("shares") == [])
      #expect(try await alice.run("list") == ["Beach  #sea  (Holiday)", "Dog  ★ 2.0  #sea  (Holiday)"])

      try await alice.run("stop", "Holiday", "--keep")
      for device in [alice, stage.tablet] {
        #expect(try await device.run("list") == ["Beach  #sea", "Dog  ★ 2.0  #sea"])
        #expect(try await device.run("shares") == [])
      }
      let zones = try FileManager.default.contentsOfDirectory(
        atPath: stage.cloud.zonePath("", of: "alice")
      ).filter { !$0.hasPrefix(".") }
      #expect(zones.filter { $0.hasPrefix("com.apple.coredata.cloudkit.share") } == [])
    }
  }

  @Test("without copies, leaving removes the participant's photos, and stopping the share the owner's")
  func nothingKept() async throws {
    try await PhotosStage.run { stage in
      try await stage.phone.add("Beach", "--tag", "sea")
      let url = try #require(try await stage.phone.run("share", "Beach", "--public", "read").first)
      try await stage.bob.run("accept", url)
      #expect(try await stage.bob.refused("rate", "Beach", "5").contains("for reading"))
      try await stage.bob.run("leave", "Beach")
      #expect(try await stage.bob.run("list") == [])
      #expect(try await stage.tablet.run("list") == ["Beach  #sea  (Beach)"])
      try await stage.phone.run("stop", "Beach")
      #expect(try await stage.phone.run("list") == [])
      #expect(try await stage.tablet.run("list") == [])
    }
  }
}

extension Array {
  fileprivate func asyncMap<Result>(_ body: (Element) async throws -> Result) async throws -> [Result] {
    var results: [Result] = []
    for element in self { results.append(try await body(element)) }
    return results
  }
}
