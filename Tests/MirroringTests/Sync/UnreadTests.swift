import CloudKit
import Foundation
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Unreadable records")
struct UnreadTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet", isStarted: false)
  }

  /// The file of an object's record in the cloud.
  private func file(of id: RowID) throws -> URL {
    let name = try #require(try phone.require().recordID(for: id)).recordName + ".json"
    let files = try #require(FileManager.default.enumerator(atPath: stage.cloud.path))
    let path = files.compactMap { $0 as? String }.first { $0.hasSuffix("/records/" + name) }
    return URL(fileURLWithPath: stage.cloud.path).appendingPathComponent(try #require(path))
  }

  private func unread() throws -> Int { try tablet.store.read { try RecordNote.unread.records(in: $0).count } }

  @Test("an unreadable record blocks no other, an event reports it, and it is fetched again [mirror-31]")
  func unreadableRecordBlocksNoOtherAnEvent() async throws {
    let tag = try phone.insert("Tag", "T")
    let post = try phone.insert("Post", "A")
    try phone.link(post, "tags", to: tag)
    await phone.drain()
    let url = try file(of: post)
    let bytes = try Data(contentsOf: url)
    try Data("{".utf8).write(to: url)
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.titles("Tag") == ["T"] && tablet.titles("Post") == [] && unread() == 1)
    let error = try #require(tablet.errors(.import).last as Error? as? CKError)
    let parts = try #require(error.partialErrorsByItemID)
    let recordID = try #require(try phone.require().recordID(for: post))
    #expect(parts.count == 1)
    #expect(parts.keys.first as? CKRecord.ID == CKRecord.ID(recordName: recordID.recordName, zoneID: recordID.zoneID))
    // Other records of the zone are still imported.
    try phone.set(tag, "title", .string("U"))
    await phone.drain()
    await tablet.drain()
    #expect(try tablet.titles("Tag") == ["U"])
    try bytes.write(to: url)
    await tablet.drain()
    #expect(try tablet.lines() == phone.lines() && unread() == 0)
    let count = tablet.errors(.import).count
    await tablet.drain()
    #expect(tablet.errors(.import).count == count)
  }

  @Test("an unreadable record that is deleted is forgotten [mirror-31]")
  func unreadableRecordThatIsDeletedIsForgotten() async throws {
    let post = try phone.insert("Post", "A")
    let other = try phone.insert("Post", "B")
    await phone.drain()
    let url = try file(of: post)
    let bytes = try Data(contentsOf: url)
    try Data("{".utf8).write(to: url)
    try tablet.start()
    await tablet.drain()
    #expect(try unread() == 1)
    try bytes.write(to: url)
    try phone.delete(post)
    await phone.drain()
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["B"] && unread() == 0)

    // The unreadable record is deleted with its zone.
    let second = try file(of: other)
    try Data("{".utf8).write(to: second)
    let fresh = try stage.device("alice", "fresh")
    await fresh.drain()
    #expect(try fresh.store.read { try RecordNote.unread.records(in: $0).count } == 1)
    let database = try stage.container(of: "alice").privateCloudDatabase
    _ = try await database.deleteRecordZone(withID: ZoneLocation.private.zoneID)
    await fresh.drain()
    #expect(try fresh.store.read { try RecordNote.unread.records(in: $0).count } == 0)
    #expect(fresh.errors(.import).last?.code == CKError.partialFailure.rawValue)
  }

  @Test("a share that could not be read is imported once it is readable [mirror-31]")
  func shareThatCouldNotBeRead() async throws {
    let post = try phone.insert("Post", "A")
    let zone = try await phone.require().share([post], to: nil).share.recordID.zoneID
    await phone.drain()
    let files = try #require(FileManager.default.enumerator(atPath: stage.cloud.path)).compactMap { $0 as? String }
    let path = try #require(
      files.first { $0.contains(zone.zoneName) && $0.hasSuffix("/\(CKRecordNameZoneWideShare).json") })
    let url = URL(fileURLWithPath: stage.cloud.path).appendingPathComponent(path)
    let bytes = try Data(contentsOf: url)
    try Data("{".utf8).write(to: url)
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["A"] && tablet.require().shares().isEmpty && unread() == 1)
    try bytes.write(to: url)
    await tablet.drain()
    #expect(try tablet.require().shares().map(\.recordID.zoneID.zoneName) == [zone.zoneName] && unread() == 0)
  }

  @Test("a missing asset blocks no other record; its record is imported once the asset exists [mirror-31]")
  func missingAssetBlocksNoOtherRecord() async throws {
    let long = [UInt8](repeating: 7, count: 1_200_000)
    let post = try phone.insert("Post", "A", ["photo": .binary(long)])
    try phone.insert("Post", "B")
    await phone.drain()
    let files = try #require(FileManager.default.enumerator(atPath: stage.cloud.path))
    let assets = files.compactMap { $0 as? String }.filter { name in
      let path = stage.cloud.path + "/" + name
      let size = (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int
      return size == long.count && !name.hasSuffix(".json")
    }
    #expect(!assets.isEmpty)
    for name in assets {
      try FileManager.default.moveItem(
        atPath: stage.cloud.path + "/" + name, toPath: stage.cloud.path + "/" + name + ".away")
    }
    try tablet.start()
    await tablet.drain()
    #expect(try tablet.titles("Post") == ["B"] && unread() == 1)
    for name in assets {
      try FileManager.default.moveItem(
        atPath: stage.cloud.path + "/" + name + ".away", toPath: stage.cloud.path + "/" + name)
    }
    await tablet.drain()
    let theirs = try #require(try tablet.find("Post", "A"))
    #expect(try tablet.row(theirs).map { try tablet.bytes($0["photo"]) } == long && unread() == 0)
    #expect(try phone.row(post) != nil)
  }
}

extension Device {
  func bytes(_ value: StoredValue) throws -> [UInt8]? {
    switch value {
    case .binary(let bytes): bytes
    case .external(let file): try store.contents(of: file)
    default: nil
    }
  }
}
