import Foundation
import LocalCloudObjectStore
import Testing

@testable import LocalCloudCoreDataMirroring

@Suite("Many objects")
struct ScaleTests {
  @Test("more objects than a request or page holds arrive; a change of a tag with many posts updates only the tag")
  func manyRelatives() async throws {
    let stage = try MirrorStage()
    let phone = try stage.device("alice", "phone")
    let tag = try phone.save { transaction in
      let tag = transaction.newID(of: TestModel.entity("Tag"))
      transaction.insert(StoredRow(tag, ["title": .string("all")]))
      for number in 0..<600 {
        let id = transaction.newID(of: TestModel.entity("Post"))
        transaction.insert(StoredRow(id, ["title": .string("post\(number)")]))
        try transaction.link(tag, TestModel.relationship("posts", of: TestModel.entity("Tag")), to: id)
      }
      return tag
    }
    await phone.drain()
    let tablet = try stage.device("alice", "tablet")
    await tablet.drain()
    #expect(try tablet.lines().count == 601)
    try expectSame(tablet, phone)
    try phone.set(tag, "title", .string("every"))
    await phone.drain()
    await tablet.drain()
    #expect(try tablet.titles("Tag") == ["every"])
    #expect(tablet.commits.last?.updated.count == 1)
    #expect(tablet.commits.last?.inserted.isEmpty == true)
    #expect(phone.errors(.export).isEmpty)
  }
}
