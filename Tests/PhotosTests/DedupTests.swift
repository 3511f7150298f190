import Foundation
import TestSupport
import Testing

/// History processing of document 002: a token for each store, and equal tags of two devices are merged within a zone.
@Suite(
  "Photos: history and equal tags of two devices", .serialized,
  .enabled(if: LongTests.areChosen, "LOCALCLOUD_LONG_TESTS=1 runs it"))
struct DedupTests {
  @Test("equal tags that two offline devices create become one tag of both photos")
  func twoDevices() async throws {
    try await PhotosStage.run { stage in
      let devices = [stage.phone, stage.tablet]
      try await stage.withoutCloud {
        try await stage.phone.add("Tower", "--tag", "city", isOffline: true)
        try await stage.tablet.add("Bridge", "--tag", "city", isOffline: true)
      }
      // Three rounds: to import the other device's tag, to merge the tags, and to import the merged ones.
      for _ in 0..<3 { for device in devices { try await device.run("list") } }
      for device in devices {
        #expect(try await device.run("tags") == ["city: 2"])
        #expect(try await device.run("list") == ["Bridge  #city", "Tower  #city"])
      }
      // Later photos get the remaining tag.
      try await stage.phone.add("Square", "--tag", "city")
      #expect(try await stage.tablet.run("tags") == ["city: 3"])
    }
  }

  @Test("a merged tag that another device used in the meantime is merged again before its deletion")
  func usedMeanwhile() async throws {
    try await PhotosStage.run { stage in
      let (phone, tablet) = (stage.phone, stage.tablet)
      try await stage.withoutCloud {
        try await phone.add("Tower", "--tag", "city", isOffline: true)
        try await tablet.add("Bridge", "--tag", "city", isOffline: true)
      }
      try await tablet.run("list")
      try await stage.withoutCloud {
        // The tablet has either only its own tag or the merged one; either tag may be the deleted one.
        try await tablet.add("Square", "--tag", "city", isOffline: true)
      }
      for _ in 0..<4 { for device in [phone, tablet] { try await device.run("list") } }
      for device in [phone, tablet] {
        #expect(try await device.run("tags") == ["city: 3"])
        #expect(try await device.run("list") == ["Bridge  #city", "Square  #city", "Tower  #city"])
      }
    }
  }

  @Test("tags of one name in two zones are two tags")
  func tagsOfOneNameInTwoZones() async throws {
    try await PhotosStage.run { stage in
      try await stage.phone.add("Beach", "--tag", "sea")
      try await stage.phone.add("Dog", "--tag", "sea")
      try await stage.phone.run("share", "Beach", "--named", "Holiday")
      for device in [stage.tablet, stage.phone, stage.tablet] {
        #expect(try await device.run("tags").sorted() == ["sea: 1", "sea: 1  (Holiday)"])
        #expect(try await device.run("list") == ["Beach  #sea  (Holiday)", "Dog  #sea"])
      }
    }
  }

  @Test("each store's history is processed from its token; without a readable token from the start")
  func eachStoresHistoryIsProcessed() async throws {
    try await PhotosStage.run { stage in
      try await stage.phone.add("Beach", "--tag", "sea")
      let url = try #require(try await stage.phone.run("share", "Beach", "--public", "write").first)
      try await stage.bob.run("accept", url)
      let first = try await stage.tablet.run("history")
      #expect(first.count == 1, "\(first)")
      #expect(first.first?.hasPrefix("private: ") == true, "\(first)")
      #expect(first.first?.contains("from the start: 1 Photo, 1 PhotoData, 1 Tag, 1 Thumbnail") == true, "\(first)")
      #expect(try await stage.tablet.run("history") == [])

      try await stage.bob.run("rate", "Beach", "4")
      let second = try await stage.tablet.run("history")
      #expect(second.count == 1, "\(second)")
      #expect(second.first?.contains("from the start") == false)
      #expect(second.first?.contains("1 Rating") == true)
      try await stage.tablet.add("Dog")
      #expect(try await stage.tablet.run("history") == [], "what the app itself wrote is nobody else's")

      for garbage in [Data(), Data("tokens".utf8), Data(count: 4096)] {
        try garbage.write(to: URL(fileURLWithPath: "\(stage.tablet.stores)/tokens.plist"))
        let again = try await stage.tablet.run("history")
        #expect(again.first?.contains("from the start") == true, "\(again)")
      }
      #expect(try await stage.tablet.run("list") == ["Beach  ★ 4.0  #sea  (Beach)", "Dog"])
      // A participant's changes are in the shared store.
      try await stage.phone.run("rate", "Beach", "2")
      let shared = try await stage.bob.run("history")
      #expect(shared.first?.hasPrefix("shared: ") == true, "\(shared)")
      #expect(shared.first?.contains("1 Rating") == true, "\(shared)")
    }
  }

  @Test("a watching program reports changes and participants that leave")
  func watchingProgramReportsChangesAndParticipants() async throws {
    try await PhotosStage.run { stage in
      try await stage.phone.add("Beach")
      let url = try #require(try await stage.phone.run("share", "Beach", "--named", "Holiday").first)
      try await stage.phone.run("invite", "Holiday", "bob@example.com")
      let watcher = try stage.phone.start(["watch"])
      defer {
        watcher.kill()
        _ = watcher.wait()
      }
      #expect(watcher.waitForOutput("watching\n", seconds: 60), "\(watcher.errors)")
      try await stage.bob.run("accept", url)
      #expect(watcher.waitForOutput("person changed: Bob: Holiday, in\n", seconds: 60), "\(watcher.output)")
      try await stage.bob.run("rate", "Beach", "5")
      #expect(watcher.waitForOutput("changed: Beach  ★ 5.0  (Holiday)\n", seconds: 60), "\(watcher.output)")
      try await stage.bob.run("tag", "Beach", "sand")
      #expect(watcher.waitForOutput("tag new: sand: 1  (Holiday)\n", seconds: 60), "\(watcher.output)")
      try await stage.bob.run("leave", "Holiday", "--keep")
      #expect(watcher.waitForOutput("person changed: Bob: Holiday, invited\n", seconds: 60), "\(watcher.output)")
      #expect(watcher.errors == "")
    }
  }
}
