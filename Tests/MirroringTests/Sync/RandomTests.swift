import CloudKit
import FaultInjection
import Foundation
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

/// Devices with random work that are offline and are killed.
@Suite("Random work on several devices")
struct RandomTests {
  private final class Run {
    let stage: MirrorStage
    var devices: [Device] = []
    var random: SeededGenerator
    private var count = 0

    init(seed: UInt64) throws {
      stage = try MirrorStage()
      random = SeededGenerator(seed: seed)
      for name in ["phone", "tablet", "laptop"] { devices.append(try stage.device("alice", name)) }
    }

    func any(_ entity: String, on device: Device) throws -> RowID? {
      try device.store.read { try $0.ids(of: TestModel.entity(entity)) }.randomElement(using: &random)
    }

    /// Edits objects, unless an import has deleted one of them.
    private func edit(_ device: Device, _ ids: [RowID], _ body: (StoreTransaction) throws -> Void) throws {
      try device.save { transaction in
        if try ids.allSatisfy({ try transaction.row($0) != nil }) { try body(transaction) }
      }
    }

    func step() async throws {
      let device = devices[Int.random(in: 0..<devices.count, using: &random)]
      let entity = ["Post", "ImagePost", "Tag", "Attachment"].randomElement(using: &random) ?? "Post"
      let post = try any(["Post", "ImagePost"].randomElement(using: &random) ?? "Post", on: device)
      switch Int.random(in: 0..<18, using: &random) {
      case 0...2:
        count += 1
        try device.insert(entity, "\(entity)\(count)")
      case 3...4:
        let likes = Int64.random(in: 0..<100, using: &random)
        if let post { try edit(device, [post]) { try $0.set(post, "likes", .integer(likes)) } }
      case 5:
        let content = "\(random.next() % 100)"
        if let post { try edit(device, [post]) { try $0.set(post, "content", .string(content)) } }
      case 6...7:
        if let post, let tag = try any("Tag", on: device) {
          let isLinked = Bool.random(using: &random)
          try edit(device, [post, tag]) { try $0.link(post, "tags", to: tag, isLinked) }
        }
      case 8:
        if let attachment = try any("Attachment", on: device) {
          try edit(device, [attachment, post].compactMap(\.self)) { try $0.relate(attachment, "post", to: post) }
        }
      case 9:
        if let id = try any(entity, on: device), Bool.random(using: &random) {
          try edit(device, [id]) { try $0.deleteObject(id) }
        }
      case 10: device.stop()
      case 11: try kill(device)
      case 12:
        device.stop()
        try device.start()
      default: await device.drain()
      }
    }

    /// Kills the mirroring at one of its next steps.
    private func kill(_ device: Device) throws {
      let killer = Killer(after: Int.random(in: 0..<6, using: &random))
      try device.start { try killer.pass($0) }
    }
  }

  @Test("in the end all devices have the same objects, each with one record [mirror-10] [mirror-13]", arguments: 0..<6)
  func inTheEndAllDevices(number: UInt64) async throws {
    let run = try Run(seed: TestSeed.value(7000 + number))
    for _ in 0..<60 { try await run.step() }
    for device in run.devices { try device.start() }
    for _ in 0..<2 { for device in run.devices { await device.drain() } }
    for device in run.devices { await device.drain() }
    try expectSame(run.devices[1], run.devices[0])
    try expectSame(run.devices[2], run.devices[0])
    // Every object has a record, and every record an object.
    let device = run.devices[0]
    let objects = try device.store.read { view in
      try TestModel.schema.entities.indices.flatMap { try view.ids(of: $0) }
    }
    let engine = try device.require()
    let names = Set(objects.compactMap { engine.recordID(for: $0)?.recordName })
    #expect(names.count == objects.count)
    let database = try run.stage.container(of: "alice").privateCloudDatabase
    var token: CKServerChangeToken?
    var records: Set<String> = []
    while true {
      let page = try await database.recordZoneChanges(inZoneWith: ZoneLocation.private.zoneID, since: token)
      for (recordID, result) in page.modificationResultsByID where try result.get().record.recordType != "CDMR" {
        records.insert(recordID.recordName)
      }
      token = page.changeToken
      if !page.moreComing { break }
    }
    #expect(records == names)
    for device in run.devices {
      #expect(device.errors(.export).isEmpty, "\(device.errors(.export))")
      #expect(device.errors(.import).isEmpty, "\(device.errors(.export))")
    }
  }
}
