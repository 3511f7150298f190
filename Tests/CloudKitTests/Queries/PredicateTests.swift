import CloudKit
import Foundation
import LocalCloudPredicateFormat
import Testing

/// CloudKit's classes in predicates, and mistakes that raise an exception. `FoundationPredicatesTests` tests all other
/// predicates.
@Suite("Queries: CloudKit's classes in an NSPredicate")
struct PredicateTests {
  private func format(_ predicate: NSPredicate) throws -> String? { try predicate.tree?.format }

  @Test("arguments of CloudKit's classes have a form in the predicate's format")
  func argumentsOfCloudKitsClassesHaveAForm() throws {
    let location = CLLocation(latitude: 1, longitude: 2)
    #expect(
      try format(NSPredicate(format: "distanceToLocation:fromLocation:(place, %@) < %f", location, 1000.0))
        == #"distanceToLocation:fromLocation:(place, CAST({1.0, 2.0}, "CLLocation")) < 1000.0"#)
    let reference = CKRecord.Reference(recordID: CKRecord.ID(recordName: "r"), action: .none)
    let parts = #"CAST({"ownerName", "__defaultOwner__", "recordName", "r", "zoneName", "_defaultZone"}, "#
    #expect(try format(NSPredicate(format: "a == %@", reference)) == "a == \(parts)\"CKReference\")")
    #expect(try format(NSPredicate(format: "a == %@", reference.recordID)) == "a == \(parts)\"CKRecordID\")")
    let record = CKRecord(recordType: "T", recordID: reference.recordID)
    #expect(try format(NSPredicate(format: "a == %@", record)) == "a == \(parts)\"CKRecord\")")
    let listed = NSPredicate(format: "a IN %@", [reference.recordID])
    #expect(try format(listed) == "a IN {\(parts)\"CKRecordID\")}")
    let zone = #"CAST({"ownerName", "__defaultOwner__", "zoneName", "_defaultZone"}, "CKRecordZoneID")"#
    #expect(try format(NSPredicate(format: "a == %@", CKRecordZone.ID.default)) == "a == \(zone)")
  }

  @Test("predicates with CloudKit's classes can be evaluated with a record")
  func predicatesWithCloudKitsClassesCanBeEvaluated() {
    let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "n"))
    record["title"] = "Hello"
    record["stars"] = 5
    record["link"] = CKRecord.Reference(recordID: CKRecord.ID(recordName: "t"), action: .none)
    record["place"] = CLLocation(latitude: 1, longitude: 2)
    #expect(NSPredicate(format: "title ENDSWITH 'lo' AND stars >= 5 AND other == nil").evaluate(with: record))
    #expect(NSPredicate(format: "recordID == %@ AND recordType == 'Note'", record.recordID).evaluate(with: record))
    #expect(NSPredicate(format: "place == %@", CLLocation(latitude: 1, longitude: 2)).evaluate(with: record))
    let link = CKRecord.Reference(recordID: CKRecord.ID(recordName: "t"), action: .deleteSelf)
    #expect(NSPredicate(format: "link == %@", link).evaluate(with: record))
    #expect(NSPredicate(format: "link.recordID == %@", link.recordID).evaluate(with: record))
    #expect(NSPredicate(format: "link.recordID.recordName == 't'").evaluate(with: record))
  }

  @Test("predicates can use a record's system fields by the names of its properties")
  func systemFields() throws {
    let record = savedRecord()
    let (parent, shareID) = (
      CKRecord.ID(recordName: "p", zoneID: record.recordID.zoneID),
      CKRecord.ID(recordName: "s", zoneID: record.recordID.zoneID)
    )
    record.setParent(parent)
    _ = CKShare(rootRecord: record, shareID: shareID)
    let (created, modified) = (try #require(record.creationDate), try #require(record.modificationDate))
    let (creator, last) = (
      try #require(record.creatorUserRecordID), try #require(record.lastModifiedUserRecordID)
    )
    let facts = [
      NSPredicate(format: "creationDate == %@", created as NSDate),
      NSPredicate(format: "modificationDate == %@", modified as NSDate),
      NSPredicate(format: "creatorUserRecordID == %@", creator),
      NSPredicate(format: "lastModifiedUserRecordID == %@", last), NSPredicate(format: "recordChangeTag == '1a'"),
      NSPredicate(format: "parent == %@", CKRecord.Reference(recordID: parent, action: .none)),
      NSPredicate(format: "share == %@", CKRecord.Reference(recordID: shareID, action: .none)),
    ]
    let bare = note("n")
    for fact in facts {
      let text = try #require(try format(fact))
      #expect(fact.evaluate(with: record), "\(text)")
      #expect(!fact.evaluate(with: bare), "\(text)")
    }
  }

  @Test("an archived and a copied query have the same predicate")
  func archivedAndACopiedQuery() throws {
    let compound = NSCompoundPredicate(andPredicateWithSubpredicates: [
      NSPredicate(format: "a == %@", CKRecord.ID(recordName: "r")), NSPredicate(format: "NOT b IN {1, 2.5, 'x'}"),
    ])
    let query = CKQuery(recordType: "Note", predicate: compound)
    let text = try #require(try format(compound))
    #expect(try format(query.predicate) == text)
    #expect(try format(#require(query.copy() as? CKQuery).predicate) == text)
    let data = try NSKeyedArchiver.archivedData(withRootObject: query, requiringSecureCoding: true)
    let read = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: CKQuery.self, from: data))
    #expect(try format(read.predicate) == text)
    #expect(read.predicate.tree == compound.tree)
  }

  @Test("an invalid format, and a comparison of values of different types, raise an exception")
  func invalidFormatAndAComparisonOfValues() async throws {
    let name = "NSInvalidArgumentException"
    await expectException(
      #"Unable to parse the format string "a ==" (line 1, column 5: expected an expression…"#, named: name,
      #expect(processExitsWith: .failure, observing: saying) { _ = NSPredicate(format: "a ==") })
    await expectException(
      #"Unable to parse the format string "size == 1" (line 1, column …"#, named: name,
      #expect(processExitsWith: .failure, observing: saying) { _ = NSPredicate(format: "size == 1") })
    await expectException(
      #"Unable to parse the format string "a == %@" (…there are 0 arguments, and this wants more)"#, named: name,
      #expect(processExitsWith: .failure, observing: saying) { _ = NSPredicate(format: "a == %@") })
    await expectException(
      #"Unable to parse the format string "a == %@" (…there are 0 arguments, and this wants more)"#, named: name,
      #expect(processExitsWith: .failure, observing: saying) { _ = NSPredicate(format: "a == %@", argumentArray: []) })
    await expectException(
      "Unable to parse function name 'foo' into supported selector (foo:) "
        + #"(line 1, column 1: there is no function "foo")"#, named: name,
      #expect(processExitsWith: .failure, observing: saying) { _ = NSPredicate(format: "foo(a) == 1") })
    await expectException(
      #""x" and 1 can't be compared with <"#, named: name,
      #expect(processExitsWith: .failure, observing: saying) {
        _ = NSPredicate(format: "a < 1").evaluate(with: ["a": "x"])
      })
    await expectException(
      #"NSObject has no value for the key "key""#, named: name,
      #expect(processExitsWith: .failure, observing: saying) {
        _ = NSPredicate(format: "key == 1").evaluate(with: NSObject())
      })
    await expectException(
      "Can't get value for 'x' in bindings", named: name,
      #expect(processExitsWith: .failure, observing: saying) { _ = NSPredicate(format: "$x == 1").evaluate(with: nil) })
    await #expect(processExitsWith: .success) { #expect(NSPredicate(format: "$x == 1 OR a == nil").tree != nil) }
  }
}
