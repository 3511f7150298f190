import CloudKit
import FaultInjection
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("The schema of a mirrored model", .timeLimit(.minutes(2)))
struct SchemaTests {
  private let cloud: TemporaryCloud

  init() throws { cloud = try TemporaryCloud() }

  /// The lines of a record type in the development environment's schema, with the words separated by single spaces.
  private func lines(of type: String) -> [String] {
    let path = "\(cloud.path)/containers/\(TemporaryCloud.container)/development/schema.ckdb"
    let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    guard let start = text.range(of: "RECORD TYPE \(type) ("),
      let end = text.range(of: ");", range: start.upperBound..<text.endIndex)
    else { return [] }
    return text[start.upperBound..<end.lowerBound].split(separator: "\n").map { line in
      line.split(whereSeparator: { " ,".contains($0) }).joined(separator: " ")
    }
  }

  @Test(
    "exports create the fields that have values, with default indexes [mirror-19]")
  func exportsCreateTheFieldsThatHaveValues() async throws {
    let phone = try CloudBlog("alice", "phone", in: cloud)
    try await phone.container.change { $0.add("Post", ["title": "One", "location": "here"]) }
    await phone.drain()
    let post = lines(of: "CD_Post")
    #expect(post.contains("CD_title STRING QUERYABLE SEARCHABLE SORTABLE"), "\(post)")
    // An encrypted field can't be queried.
    #expect(post.contains("CD_location ENCRYPTED STRING"))
    for absent in ["CD_content", "CD_title_ckAsset", "CD_moveReceipt", "CDMR"] {
      #expect(!post.contains { $0.hasPrefix(absent) }, "\(absent)")
    }
    #expect(lines(of: "CDMR").isEmpty)
    #expect(lines(of: "CD_Tag").isEmpty)
    // Queries of the public database need an index that the developer has to add.
    #expect(!post.contains { $0.contains("___recordID") && $0.contains("QUERYABLE") })
    for grant in ["GRANT WRITE TO \"_creator\"", "GRANT CREATE TO \"_icloud\"", "GRANT READ TO \"_world\""] {
      #expect(post.contains(grant), "\(grant)")
    }
    try phone.container.initializeCloudKitSchema()
    let whole = lines(of: "CD_Post")
    #expect(whole.contains("CD_content_ckAsset ASSET"))
    #expect(whole.contains("CD_moveReceipt_ckAsset ASSET"))
    #expect(lines(of: "CD_Attachment").contains { $0.hasPrefix("CD_image BYTES") })
    #expect(lines(of: "CDMR").contains { $0.hasPrefix("CD_recordNames STRING") })
  }

  @Test("a model without many-to-many relationships has no record type of pairs [mirror-19]")
  func noPairs() async throws {
    let folder = try TemporaryFolder()
    let post = NSEntityDescription()
    post.name = "Post"
    let note = BlogModel.attribute("note", .string)
    note.isTransient = true
    post.properties = [
      BlogModel.attribute("title", .string), BlogModel.attribute("link", .uri), note,
      BlogModel.derived("plain", .string, "canonical:(title)"),
    ]
    let model = NSManagedObjectModel()
    model.entities = [post]
    let container = try cloud.posts(model, in: folder.path)
    try container.initializeCloudKitSchema()
    let lines = lines(of: "CD_Post")
    #expect(lines.contains { $0.hasPrefix("CD_link STRING") })
    #expect(!lines.contains { $0.hasPrefix("CD_link_ckAsset") })
    #expect(self.lines(of: "CDMR").isEmpty)
    // Transient and derived attributes have no field [mirror-4].
    #expect(!lines.contains { $0.hasPrefix("CD_note") || $0.hasPrefix("CD_plain") })
    let context = container.newBackgroundContext()
    let id = try await context.perform {
      let post = context.add("Post", ["title": "É", "note": "of the moment"])
      try context.save()
      #expect(post.value(forKey: "plain") as? String == "e")
      return post.objectID
    }
    await container.drain()
    #expect(container.record(for: id)?.allKeys() == ["CD_entityName", "CD_title"])
  }

  @Test("the next initialisation deletes the records of one that was killed [mirror-19]")
  func leftOvers() async throws {
    let database = try cloud.plainDatabase()
    let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.schema")
    try await database.save(CKRecordZone(zoneID: zone))
    let record = CKRecord(recordType: "CD_Post", recordID: CKRecord.ID(recordName: "left", zoneID: zone))
    record["CD_entityName"] = "Post"
    try await database.save(record)
    let phone = try CloudBlog("alice", "phone", in: cloud)
    await phone.drain()
    #expect(try await phone.titles() == [])
    try phone.container.initializeCloudKitSchema()
    #expect(try await !database.allRecordZones().contains { $0.zoneID.zoneName == zone.zoneName })
    await phone.drain()
    #expect(try await phone.titles() == [])
  }

  @Test("a printing dry run shows each type once, also with two stores of the model [mirror-19]")
  func printingDryRunShowsEachTypeOnce() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
      let nobody = try CloudBlog(nil, "lost", in: try TemporaryCloud())
      try nobody.container.initializeCloudKitSchema(options: [.dryRun, .printSchema])
    }
    let text = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    for type in ["CD_Attachment", "CD_Post", "CD_Tag", "CDMR"] {
      #expect(text.components(separatedBy: "recordType=\(type), ").count == 2, "\(type)")
    }
  }
}
