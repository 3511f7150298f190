import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Derived attributes")
struct DerivedTests {
  private let stage: MirrorStage
  private let phone: Device
  private let tablet: Device

  init() throws {
    stage = try MirrorStage()
    phone = try stage.device("alice", "phone")
    tablet = try stage.device("alice", "tablet")
  }

  private func drain() async {
    await phone.drain()
    await tablet.drain()
  }

  /// A derived value of an object on both devices; the values must be equal.
  private func value(_ entity: String, _ title: String, _ name: String) throws -> StoredValue {
    let values = try [phone, tablet].map { device in
      let id = try #require(try device.find(entity, title))
      return try #require(try device.row(id))[name]
    }
    #expect(values[0] == values[1])
    return values[1]
  }

  @Test("an import computes derived values of inserted, linked, changed and deleted objects [mirror-4]")
  func importComputesDerivedValuesOfInsertedLinked() async throws {
    let post = try phone.insert("Post", "A")
    let tags = try ["T", "U"].map { try phone.insert("Tag", $0) }
    for tag in tags { try phone.link(post, "tags", to: tag) }
    try phone.insert("Attachment", "X", toOnes: ["post": post])
    await drain()
    #expect(try value("Post", "A", "tagCount") == .integer(2))
    #expect(try value("Attachment", "X", "postTitle") == .string("A"))
    #expect(try value("Attachment", "X", "folded") == .string("x"))

    try phone.link(post, "tags", to: tags[0], false)
    try phone.set(post, "title", .string("B"))
    await drain()
    #expect(try value("Post", "B", "tagCount") == .integer(1))
    #expect(try value("Attachment", "X", "postTitle") == .string("B"))

    try phone.delete(tags[1])
    await drain()
    #expect(try value("Post", "B", "tagCount") == .integer(0))
    try phone.delete(post)
    await drain()
    #expect(try value("Attachment", "X", "postTitle") == .null)
    // No derived value was sent: the devices have nothing to export.
    #expect(tablet.events.allSatisfy { $0.error == nil })
    #expect(try tablet.store.check().isEmpty)
  }

  @Test("a reference to a target in a later import updates derived values then [mirror-9]")
  func referenceToATargetInALater() async throws {
    let attachment = try phone.insert("Attachment", "X")
    await drain()
    let post = try tablet.insert("Post", "A")
    await tablet.drain()
    await drain()
    let here: RowID = try #require(try phone.find("Post", "A"))
    try phone.relate(attachment, "post", to: here)
    await drain()
    #expect(try value("Attachment", "X", "postTitle") == .string("A"))
    // A purge of the zone deletes all objects, without derived values to update.
    try await tablet.require().purge(ZoneLocation.private.zoneID)
    #expect(try tablet.row(post) == nil && tablet.store.check().isEmpty)
  }
}
