import CloudKit
import Foundation
import LocalCloud
import LocalCloudPlatform
import TestSupport

/// Measures imports of records that precede the records they refer to, beside imports of the same records in the other
/// order. The cost of a reference that waits must not depend on the number of other references to the same record.
enum WaitingBenchmark: Benchmark {
  static let name = "waiting"
  static let summary = "imports of records that come before those that they refer to, against the other order"

  /// A relationship, and the record that is saved last.
  private enum Order: String, CaseIterable {
    case parent = "children before their parent"
    case tag = "pairs before their tag"
    case manyToMany = "pairs before each of their objects"
    case missing = "references to a record that is missing"

    /// The records in the order of their saves.
    ///
    /// - Parameter isInOrder: whether each record follows the records that it refers to.
    func records(_ count: Int, isInOrder: Bool) -> [CKRecord] {
      let posts = (0..<count).map { Self.post($0, author: self == .parent || self == .missing ? "author" : nil) }
      let author = Self.record("CD_Author", "author", ["CD_entityName": "Author", "CD_title": "A"])
      let tag = Self.record("CD_Tag", "tag-0", ["CD_entityName": "Tag", "CD_title": "T"])
      switch self {
      case .parent: return isInOrder ? [author] + posts : posts + [author]
      case .missing: return isInOrder ? [author] + posts : posts
      case .tag:
        let pairs = (0..<count).map { Self.pair($0, tag: 0) }
        return isInOrder ? [tag] + posts + pairs : posts + pairs + [tag]
      case .manyToMany:
        let tags = (0..<count / 10).map {
          Self.record("CD_Tag", "tag-\($0)", ["CD_entityName": "Tag", "CD_title": "T"])
        }
        let pairs = (0..<count).map { Self.pair($0, tag: $0 % max(1, count / 10)) }
        return isInOrder ? tags + posts + pairs : pairs + posts + tags
      }
    }

    private static func record(_ type: String, _ name: String, _ fields: [String: String]) -> CKRecord {
      let zone = CKRecordZone.ID(zoneName: "com.apple.coredata.cloudkit.zone")
      let record = CKRecord(recordType: type, recordID: CKRecord.ID(recordName: name, zoneID: zone))
      for (key, value) in fields { record[key] = value }
      return record
    }

    private static func post(_ index: Int, author: String?) -> CKRecord {
      var fields = ["CD_entityName": "Post", "CD_title": "Post \(index)"]
      fields["CD_author"] = author
      return record("CD_Post", "post-\(index)", fields)
    }

    private static func pair(_ index: Int, tag: Int) -> CKRecord {
      record(
        "CDMR", "pair-\(index)",
        [
          "CD_entityNames": "Post:Tag", "CD_recordNames": "post-\(index):tag-\(tag)",
          "CD_relationships": "tags:posts",
        ])
    }
  }

  static func run(_ options: Options) throws -> Findings {
    let count = options.size(5_000, quick: 300)
    var findings = Findings()
    for order in Order.allCases {
      var (late, early): ([Double], [Double]) = ([], [])
      for _ in 0..<options.size(3, quick: 1) {
        late.append(try time(of: order.records(count, isInOrder: false)))
        early.append(try time(of: order.records(count, isInOrder: true)))
      }
      findings.figures.append(
        Figure(
          "\(count) \(order.rawValue)", .milliseconds, Samples(late), against: ("in order", Samples(early)),
          mark: .ratioAtMost(2)))
    }
    return findings
  }

  /// The milliseconds that a new device needs to import the records.
  private static func time(of records: [CKRecord]) throws -> Double {
    let cloud = try TemporaryCloud.forMeasuring()
    let container = try LocalCloud.acting(as: "alice", device: "plain", root: cloud.path) {
      CKContainer(identifier: TemporaryCloud.container)
    }
    let zone = CKRecordZone(zoneID: records[0].recordID.zoneID)
    try waiting { _ = try await container.privateCloudDatabase.save(zone) }
    for start in stride(from: 0, to: records.count, by: 400) {
      let part = Array(records[start..<min(start + 400, records.count)])
      try waiting {
        let saved = try await container.privateCloudDatabase.modifyRecords(saving: part, deleting: []).saveResults
        for result in saved.values { _ = try result.get() }
      }
    }
    let expected = records.count { $0.recordType == "CD_Post" }
    return try milliseconds {
      let device = try MirrorDevice("tablet", in: cloud)
      try device.drain()
      guard try device.count("Post") == expected else { throw UnexpectedResult(text: "not all records came") }
    }
  }
}
