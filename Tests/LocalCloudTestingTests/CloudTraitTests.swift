import CloudKit
import Foundation
import LocalCloudTesting
import Synchronization
import Testing

@Suite("A cloud for each test", .cloud(people: "ada", "ben"))
struct CloudTraitTests {
  private static let roots = Mutex<Set<URL>>([])

  @Test("each case of a test has a cloud of its own", arguments: 1...4)
  func cases(_ number: Int) async throws {
    let cloud = try LocalCloud.cloud
    #expect(cloud.people == ["ada", "ben"])
    #expect(Self.roots.withLock { $0.insert(cloud.root).inserted })
    try await LocalCloud.acting(as: "ada") {
      let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
      // It would be refused where the record exists.
      _ = try await database.save(CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: "milk")))
    }
  }

  @Suite("Suites in the suite")
  struct InnerTests {
    @Test("have the suite's cloud")
    func inner() throws { #expect(try LocalCloud.cloud.people == ["ada", "ben"]) }
  }

  @Test("the trait of a test replaces that of its suite", .cloud(people: "eve", clock: "2026-01-31T12:00:00Z"))
  func ownTrait() async throws {
    #expect(try LocalCloud.cloud.people == ["eve"])
    try await LocalCloud.acting(as: "eve") {
      let database = CKContainer(identifier: "iCloud.test").privateCloudDatabase
      let saved = try await database.save(CKRecord(recordType: "Note"))
      #expect(saved.creationDate?.timeIntervalSince1970 == 1_769_860_800)
    }
  }
}

@Suite("Tests without a cloud")
struct NoCloudTests {
  @Test("have no temporary cloud")
  func noCloud() { #expect(throws: CKError.self) { try LocalCloud.cloud } }
}
