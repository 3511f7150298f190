import CloudKit
import Foundation
import LocalCloudObjectStore
import TestSupport
import Testing

@testable import LocalCloudCoreDataMirroring

/// Conversion of objects to records and back.
@Suite("Objects as records")
struct MappingTests {
  private let mapping = RecordMapping(TestModel.schema)
  private let files = ExportAssets()

  private func record(_ row: StoredRow, _ names: [RowID: String] = [:]) throws -> CKRecord {
    let entity = mapping.entities[Int(row.id.entity)]
    let record = CKRecord(
      recordType: entity.recordType, recordID: RecordLocation(.private, "NAME").recordID)
    let content = RecordContent(row, entity, name: { names[$0] }, bytes: { _ in [] })
    _ = try content.apply(to: record, asset: files.asset)
    return record
  }

  private func row(_ entity: String, _ attributes: [String: StoredValue], toOnes: [String: RowID] = [:]) -> StoredRow {
    StoredRow(RowID(entity: TestModel.entity(entity), number: 1), attributes, toOnes: toOnes)
  }

  @Test("record types have the names of root entities, also for sub-entities [mirror-1]")
  func recordTypesHaveTheNamesOfRoot() throws {
    let record = try record(row("ImagePost", ["title": .string("A"), "width": .integer(3)]))
    #expect(record.recordType == "CD_Post")
    #expect(record["CD_entityName"] as? String == "ImagePost")
    #expect(record["CD_title"] as? String == "A")
    #expect(record["CD_width"] as? Int == 3)
    #expect(mapping.entity(of: record) == TestModel.entity("ImagePost"))
    record["CD_entityName"] = "Tag"
    #expect(mapping.entity(of: record) == nil)
    record["CD_entityName"] = "Unknown"
    #expect(mapping.entity(of: record) == nil)
  }

  @Test(
    "every type of attribute is converted to a field and back [mirror-3]",
    arguments: StoreSchema.AttributeType.allCases)
  func everyTypeOfAttributeIsConverted(type: StoreSchema.AttributeType) throws {
    let value = TestModel.sample(type)
    let record = try record(row("Value", ["plain_\(type.rawValue)": value, "sealed_\(type.rawValue)": value]))
    let key = "_\(type.rawValue)"
    let sealed = record.encryptedValues
    #expect(record.object(forKey: "CD_plain\(key)") != nil)
    #expect(sealed.object(forKey: "CD_plain\(key)") == nil)
    // [mirror-6]
    #expect(record.object(forKey: "CD_sealed\(key)") == nil)
    #expect(sealed.object(forKey: "CD_sealed\(key)") != nil)
    #expect(record.allKeys() == ["CD_entityName", "CD_plain\(key)", "CD_sealed\(key)"])
    let imported = try #require(try ImportedObject(record, mapping))
    let back = StoredRow(
      id: RowID(entity: imported.entity, number: 1), version: 1, attributes: imported.attributes.map { $0 ?? .null },
      toOnes: [])
    #expect(back["plain\(key)"] == value)
    #expect(back["sealed\(key)"] == value)
    #expect(back.attributes.count { $0 != .null } == 2)
  }

  @Test("a value is read from the field of either kind, plain or encrypted, for other versions of the model [mirror-6]")
  func otherKind() throws {
    let record = try record(row("Value", ["title": .string("V")]))
    record["CD_sealed_string"] = "plain"
    record.encryptedValues["CD_plain_string"] = "sealed"
    let imported = try #require(try ImportedObject(record, mapping))
    let row = StoredRow(
      id: RowID(entity: imported.entity, number: 1), version: 1, attributes: imported.attributes.map { $0 ?? .null },
      toOnes: [])
    #expect(row["sealed_string"] == .string("plain"))
    #expect(row["plain_string"] == .string("sealed"))
  }

  @Test("numbers, dates, UUIDs and URIs have CloudKit's types [mirror-3]")
  func numbersDatesUUIDsAndURIsHaveCloudKits() throws {
    let record = try record(
      row(
        "Value",
        [
          "plain_boolean": .boolean(false), "plain_decimal": .decimal("12.5"), "plain_uri": TestModel.sample(.uri),
          "plain_uuid": TestModel.sample(.uuid), "plain_date": .date(0), "plain_transformable": .binary([1]),
        ]))
    #expect(record["CD_plain_boolean"] as? Int64 == 0)
    #expect(record["CD_plain_decimal"] as? Double == 12.5)
    #expect(record["CD_plain_uri"] as? String == "x-coredata://store/Post/p1")
    #expect(record["CD_plain_uuid"] as? String == "0B3F9A5E-1B2C-4D3E-8F90-123456789ABC")
    #expect(record["CD_plain_date"] as? Date == Date(timeIntervalSinceReferenceDate: 0))
    #expect(record["CD_plain_transformable"] as? Data == Data([1]))
  }

  @Test("null values and derived attributes have no field [mirror-4]")
  func nullValuesAndDerivedAttributes() throws {
    let record = try record(row("Post", ["title": .string(""), "tagCount": .integer(3)]))
    #expect(record.allKeys() == ["CD_entityName", "CD_title"])
    let imported = try #require(try ImportedObject(record, mapping))
    let entity = TestModel.schema.entities[imported.entity]
    for (attribute, value) in zip(entity.attributes, imported.attributes) {
      // Derived attributes have no imported value; the others are null.
      let expected: StoredValue? = attribute.isDerived ? nil : attribute.name == "title" ? .string("") : .null
      #expect(value == expected, "\(attribute.name)")
    }
  }

  @Test("a field that another program wrote is imported if it fits; otherwise it is null [mirror-44]")
  func foreignValues() throws {
    let record = try record(row("Post", [:]))
    record["CD_likes"] = 5_000_000_000
    record["CD_title"] = 7
    record["CD_unknown"] = "x"
    let imported = try #require(try ImportedObject(record, mapping))
    let back = StoredRow(
      id: RowID(entity: imported.entity, number: 1), version: 1, attributes: imported.attributes.map { $0 ?? .null },
      toOnes: [])
    #expect(back["likes"] == .integer(2_147_483_647))
    let index = TestModel.schema.entities[imported.entity].attributes.firstIndex { $0.name == "title" }
    #expect(imported.attributes[try #require(index)] == .null)
  }

  @Test("long values become assets, the longest first, and fields again when they fit [mirror-5]")
  func longValues() throws {
    let long = String(repeating: "ä", count: 300_000)
    let longer = [UInt8](repeating: 7, count: 700_000)
    var row = row("Post", ["title": .string("T"), "content": .string(long), "photo": .binary(longer)])
    let record = try record(row)
    #expect(record["CD_content"] as? String == long)
    #expect(record["CD_content_ckAsset"] == nil)
    #expect(record.object(forKey: "CD_photo") == nil)
    #expect(record["CD_photo_ckAsset"] is CKAsset)
    let imported = try #require(try ImportedObject(record, mapping))
    #expect(imported.attributes.contains(.binary(longer)))
    #expect(imported.attributes.contains(.string(long)))

    row["photo"] = .binary([1])
    let entity = mapping.entities[Int(row.id.entity)]
    _ = try RecordContent(row, entity, name: { _ in nil }, bytes: { _ in [] }).apply(to: record, asset: files.asset)
    #expect(record["CD_photo"] as? Data == Data([1]))
    #expect(record.object(forKey: "CD_photo_ckAsset") == nil)
  }

  @Test("the total size of several values moves some to assets, also encrypted ones [mirror-5]")
  func manyValues() throws {
    let text = String(repeating: "x", count: 400_000)
    let record = try record(
      row("Value", ["title": .string(text), "plain_string": .string(text), "sealed_string": .string(text)]))
    let assets = record.allKeys().filter { $0.hasSuffix("_ckAsset") }
    #expect(assets.count == 1)
    let imported = try #require(try ImportedObject(record, mapping))
    #expect(imported.attributes.count { $0 == .string(text) } == 3)
  }

  @Test("an empty plain field has the value of its asset, and is empty without one [mirror-5]")
  func emptyFields() throws {
    let record = try record(row("Post", ["title": .string(""), "photo": .binary([])]))
    record["CD_title_ckAsset"] = try files.asset(Array("from the asset".utf8))
    let imported = try #require(try ImportedObject(record, mapping))
    #expect(imported.attributes.contains(.string("from the asset")))
    #expect(imported.attributes.contains(.binary([])))
  }

  @Test(
    "only strings, bytes and transformed values have assets, with plain keys [mirror-5]")
  func assetKinds() throws {
    let attributes = mapping.entities[TestModel.entity("Value")].attributes
    for attribute in attributes where attribute.name != "title" {
      let hasAsset = [StoreSchema.AttributeType.string, .binary, .transformable].contains(attribute.type)
      #expect(attribute.assetKey == (hasAsset ? "\(attribute.key)_ckAsset" : nil), "\(attribute.name)")
    }
    let record = try record(row("Value", ["sealed_string": .string(String(repeating: "s", count: 1_000_000))]))
    #expect(record.object(forKey: "CD_sealed_string_ckAsset") is CKAsset)
    #expect(record.encryptedValues.object(forKey: "CD_sealed_string") == nil)
    #expect(record.allKeys().count == 2)
  }

  @Test("a receipt of very many moves is stored in an asset and read from it [mirror-14] [mirror-5]")
  func longReceipt() throws {
    var receipt = MoveReceipt()
    for number in 0..<10_000 { receipt.add(RecordLocation(.private, "NAME-\(number)"), at: 1_700_000_000_000) }
    let row = row("Tag", ["title": .string("T")])
    let record = CKRecord(recordType: "CD_Tag", recordID: RecordLocation(.private, "NAME").recordID)
    let content = RecordContent(
      row, mapping.entities[Int(row.id.entity)], receipt: receipt, name: { _ in nil }, bytes: { _ in [] })
    _ = try content.apply(to: record, asset: files.asset)
    #expect(record.object(forKey: "CD_moveReceipt") == nil)
    #expect(record["CD_moveReceipt_ckAsset"] is CKAsset)
    #expect(try ImportedObject.receipt(of: record) == receipt)
  }

  @Test("only changed properties are set; equal values change nothing")
  func onlyChangedPropertiesAreSet() throws {
    var row = row("Post", ["title": .string("A"), "content": .string("B")])
    let record = try record(row)
    let entity = mapping.entities[Int(row.id.entity)]
    let copy = try #require(record.copy() as? CKRecord)
    let same = RecordContent(row, entity, name: { _ in nil }, bytes: { _ in [] })
    #expect(try same.apply(to: copy, asset: files.asset) == nil)
    row["title"] = .string("A2")
    row["content"] = .null
    let changed = RecordContent(row, entity, name: { _ in nil }, bytes: { _ in [] })
    #expect(try changed.apply(to: copy, properties: ["content"], asset: files.asset) != nil)
    #expect(copy["CD_title"] as? String == "A")
    #expect(copy.object(forKey: "CD_content") == nil)
  }

  @Test("the to-one side has a field with the related record's name; the to-many side has none [mirror-7]")
  func toOne() throws {
    let post = RowID(entity: TestModel.entity("Post"), number: 7)
    let record = try record(row("Attachment", ["title": .string("A")], toOnes: ["post": post]), [post: "POST"])
    #expect(record.recordType == "CD_Attachment")
    #expect(record["CD_post"] as? String == "POST")
    #expect(try ImportedObject(record, mapping)?.toOnes == ["POST"])
    let cover = RowID(entity: TestModel.entity("Cover"), number: 8)
    let other = try self.record(row("Post", [:], toOnes: ["cover": cover]), [cover: "COVER"])
    #expect(other.allKeys() == ["CD_cover", "CD_entityName"])
  }

  @Test("a pair lists entities, records and relationships in alphabetical order [mirror-8]")
  func pairListsEntitiesRecordsAndRelationships() throws {
    let schema = TestModel.schema
    let posts = TestModel.relationship("posts", of: TestModel.entity("Tag"))
    let tags = TestModel.relationship("tags", of: TestModel.entity("ImagePost"))
    let location = RecordLocation(.private, "PAIR")
    let link = try #require(LinkRecord(location, posts, record: "T", other: "P", in: schema))
    #expect(link == LinkRecord(location, tags, record: "P", other: "T", in: schema))
    let record = CKRecord(recordType: "CDMR", recordID: location.recordID)
    link.apply(to: record)
    #expect(record["CD_entityNames"] as? String == "Post:Tag")
    #expect(record["CD_recordNames"] as? String == "P:T")
    #expect(record["CD_relationships"] as? String == "tags:posts")
    #expect(LinkRecord(record) == link)
    #expect(LinkRecord(link.value) == link)
    let resolved = try #require(link.resolved(in: schema))
    #expect(Set([resolved.forward.record, resolved.backward.record]) == ["P", "T"])
    record["CD_relationships"] = "tags:nothing"
    #expect(LinkRecord(record)?.resolved(in: schema) == nil)
    record["CD_relationships"] = "tags"
    #expect(LinkRecord(record) == nil)
  }

  @Test("a pair within one entity retains the direction of its relationship [mirror-8]")
  func pairsOfOneEntity() throws {
    let follows = TestModel.relationship("follows", of: TestModel.entity("Person"))
    let followers = TestModel.relationship("followers", of: TestModel.entity("Person"))
    let location = RecordLocation(.private, "PAIR")
    let link = try #require(LinkRecord(location, follows, record: "A", other: "B", in: TestModel.schema))
    #expect(link == LinkRecord(location, followers, record: "B", other: "A", in: TestModel.schema))
    #expect(link.first.relationship == "followers")
    #expect(link.first.record == "B")
  }

  @Test("receipts are JSON; invalid data is an empty receipt [mirror-14]")
  func receiptsAreJSON() {
    var receipt = MoveReceipt()
    receipt.add(RecordLocation(.private, "A"), at: 5)
    receipt.add(RecordLocation(ZoneLocation(zone: "Z", owner: "_o"), "B"), at: 6)
    #expect(MoveReceipt(bytes: receipt.bytes) == receipt)
    #expect(String(decoding: receipt.bytes, as: UTF8.self).contains(#""recordName":"A""#))
    #expect(MoveReceipt(bytes: [1, 2]).locations.isEmpty)
    #expect(MoveReceipt(bytes: Array(#"[{"zone":"Z"},7]"#.utf8)).locations.isEmpty)
  }

  @Test("records and shares can be stored as text in the store's documents")
  func recordsAndSharesCanBeStored() throws {
    let record = try record(row("Post", ["title": .string("A")]))
    let back = try #require(RecordArchive.object(CKRecord.self, from: RecordArchive.text(of: record)))
    #expect(back.recordID == record.recordID)
    #expect(back["CD_title"] as? String == "A")
    #expect(RecordArchive.object(CKRecord.self, from: "no archive") == nil)
    let share = CKShare(recordZoneID: ZoneLocation.private.zoneID)
    #expect(RecordArchive.object(CKShare.self, from: RecordArchive.text(of: share))?.recordID == share.recordID)
  }

  @Test("the text of a record has all information of its archive")
  func textOfARecordHasAllInformation() throws {
    let record = CKRecord(recordType: "T", recordID: RecordLocation(.private, "N").recordID)
    record["text"] = "a\"\u{1}é"
    record["whole"] = Int64.max
    record["numbers"] = [1.5, 2, -0.0, .infinity, 1e300]
    record["number"] = 5.0
    record["none"] = Double.nan
    record["date"] = Date(timeIntervalSinceReferenceDate: 0.1)
    record["bytes"] = Data([0, 255])
    record["empty"] = Data()
    record["link"] = CKRecord.Reference(recordID: record.recordID, action: .deleteSelf)
    record["file"] = try files.asset([1, 2])
    record.encryptedValues["secret"] = "s"
    record.setParent(CKRecord.ID(recordName: "P", zoneID: record.recordID.zoneID))
    let text = RecordArchive.text(of: record)
    let back = try #require(RecordArchive.object(CKRecord.self, from: text))
    let archive = try NSKeyedArchiver.archivedData(withRootObject: back, requiringSecureCoding: true)
    let archived = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKRecord.self, from: archive))
    #expect(RecordArchive.text(of: archived) == text)
    #expect(back.allKeys() == record.allKeys())
    #expect(back.changedKeys() == record.changedKeys())
    #expect(back.parent == record.parent)
    #expect(back.recordID == record.recordID)
    #expect((back["file"] as? CKAsset)?.fileURL == (record["file"] as? CKAsset)?.fileURL)
    #expect((back["none"] as? Double)?.isNaN == true)
    #expect(back.encryptedValues["secret"] as? String == "s")
    for key in ["text", "whole", "numbers", "number", "date", "bytes", "empty", "link"] {
      let value = try #require(record[key], "\(key)")
      #expect(back[key].map { "\($0)" } == "\(value)", "\(key) in \(text)")
    }
    #expect((back["numbers"] as? [Double])?.map(\.sign) == [.plus, .plus, .minus, .plus, .plus])
    for damaged in [#"{"recordType":"T"}"#, text.replacing("\"recordName\"", with: "\"name\""), "{}", "[]"] {
      #expect(RecordArchive.object(CKRecord.self, from: damaged) == nil, "\(damaged)")
    }
  }

  @Test("table entries are converted to rows and back")
  func tableEntriesAreConvertedToRows() throws {
    let ids = (0...2).map { RowID(entity: $0, number: Int64($0 + 4)) }
    var entry = RecordEntry(id: ids[0], location: RecordLocation(.private, "A"))
    (entry.tag, entry.archive, entry.sent) = ("1", "x", 9)
    entry.leaving = [RecordLocation(ZoneLocation(zone: "Z", owner: "_o"), "A")]
    entry.receipt.add(entry.leaving[0], at: 3)
    let back = try #require(RecordEntry(entry.row))
    #expect(back.row == entry.row)
    #expect(back.leaving == entry.leaving)
    #expect(back.receipt == entry.receipt)
    let link = LinkEntry(
      relationship: "Post.tags", forward: ids[1], backward: ids[2], location: entry.location, rows: [5, 6, 7])
    #expect(LinkEntry(link.mirrorRows[0])?.mirrorRows == link.mirrorRows)
    #expect(RecordEntry(link.mirrorRows[1]) == nil)
    #expect(LinkEntry(entry.row) == nil)
    let waiting = WaitingEntry(number: 3, target: entry.location, reference: .toOne(ids[2], relationship: "post"))
    #expect(WaitingEntry(waiting.row)?.row == waiting.row)
    var zone = ZoneEntry(number: 2, location: .private)
    (zone.token, zone.isWalkedAnew, zone.share, zone.isMade) = ("t", true, "s", true)
    #expect(ZoneEntry(zone.row)?.row == zone.row)
  }
}
