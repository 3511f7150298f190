import CloudKit
import FaultInjection
import Foundation
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

/// Several people change the public database at random; they are offline at times, and their programs are killed.
@Suite("Random work in the public database")
struct PublicPeopleTests {
  private final class Run {
    let people: PublicStage
    var devices: [Device] = []
    var random: SeededGenerator
    private var count = 0

    init(seed: UInt64) throws {
      people = try PublicStage()
      random = SeededGenerator(seed: seed)
      for name in ["alice", "bob", "carol"] { devices.append(try people.device(name, "\(name)s")) }
    }

    private func any(_ entity: String, on device: Device) throws -> RowID? {
      try device.store.read { try $0.ids(of: TestModel.entity(entity)) }.randomElement(using: &random)
    }

    /// Changes objects of any user, but deletes none of the user's own objects, since others do not import deletions.
    func step() async throws {
      let device = devices[Int.random(in: 0..<devices.count, using: &random)]
      let post = try any("Post", on: device)
      switch Int.random(in: 0..<14, using: &random) {
      case 0...2:
        count += 1
        let entity = ["Post", "Post", "Tag", "Attachment"].randomElement(using: &random) ?? "Post"
        try device.insert(entity, "\(entity)\(count)")
      case 3...4:
        if let post { try device.set(post, "likes", .integer(.random(in: 0..<100, using: &random))) }
      case 5:
        if let post, let tag = try any("Tag", on: device) { try device.link(post, "tags", to: tag) }
      case 6:
        if let attachment = try any("Attachment", on: device) { try device.relate(attachment, "post", to: post) }
      case 7:
        if let post, try !device.require().canUpdate(post) { try device.delete(post) }
      case 8: try kill(device)
      case 9: try device.start()
      default: await device.drain()
      }
    }

    /// Kills the mirroring at one of its next steps.
    private func kill(_ device: Device) throws {
      let killer = Killer(after: Int.random(in: 0..<6, using: &random))
      try device.start { try killer.pass($0) }
    }
  }

  @Test(
    "in the end all stores have all accepted changes and no refused ones [mirror-35] [mirror-36]", arguments: 0..<4)
  func inTheEndAllStores(number: UInt64) async throws {
    let run = try Run(seed: TestSeed.value(9300 + number))
    for _ in 0..<60 { try await run.step() }
    for device in run.devices { try device.start() }
    for _ in 0..<3 { for device in run.devices { await device.drain() } }
    try expectSame(run.devices[1], run.devices[0])
    try expectSame(run.devices[2], run.devices[0])
    let titles = try run.devices[0].titles("Post")
    #expect(try await run.people.posts() == titles)
    for device in run.devices {
      #expect(device.errors(.import).isEmpty)
      #expect(device.errors(.export).allSatisfy { $0.code == CKError.Code.partialFailure.rawValue })
    }
  }

  @Test(
    "killed at any step, a program exports and imports everything once [mirror-35] [mirror-10]",
    arguments: [MirroringStep.fetched, .imported, .assigned, .sent, .stored], [0, 1])
  func killedAtAnyStepAProgramExports(step: MirroringStep, earlier: Int) async throws {
    let people = try PublicStage()
    let tablet = try people.device("bob", "tablet")
    try tablet.insert("Post", "B")
    await tablet.drain()
    let phone = try Device(acting: try people.stage.identity("alice", "phone"), scope: .public)
    let post = try phone.insert("Post", "A")
    try phone.link(post, "tags", to: try phone.insert("Tag", "T"))
    let killer = Killer(after: earlier, of: step)
    try phone.start { try killer.pass($0) }
    await phone.drain()
    #expect(earlier > 0 || killer.killed.withLock { $0 } == step)
    try phone.start()
    for device in [phone, tablet] { await device.drain() }
    try expectSame(tablet, phone)
    #expect(try phone.lines() == ["Post A tags=[\"T\"]", "Post B", "Tag T posts=[\"A\"]"])
    #expect(try await people.posts() == ["A", "B"])
  }

  @Test("each creator's device corrects its own side of a one-to-one relationship [mirror-35] [mirror-21]")
  func oneToOne() async throws {
    let people = try PublicStage()
    let (phone, tablet) = (try people.device("alice", "phone"), try people.device("bob", "tablet"))
    try phone.insert("Post", "A")
    await phone.drain()
    await tablet.drain()
    try tablet.insert("Cover", "C", toOnes: ["post": try #require(try tablet.find("Post", "A"))])
    for _ in 0..<3 { for device in [tablet, phone] { await device.drain() } }
    try expectSame(tablet, phone)
    #expect(try phone.lines() == ["Cover C post=[\"A\"]", "Post A cover=[\"C\"]"])
    let count = tablet.errors(.export).count
    for device in [tablet, phone, tablet] { await device.drain() }
    #expect(tablet.errors(.export).count == count)
  }
}
