import CloudKit
import CoreData
import Foundation
import LocalCloud
import LocalCloudPlatform
import TestSupport

/// Measures the time from a save of an object to its arrival on another device of the owner: in the store there, in a
/// context, and in a visible list.
enum MirrorBenchmark: Benchmark {
  static let name = "mirror"
  static let summary = "from a save of an object to the list on another device, against a bare push"

  static func run(_ options: Options) throws -> Findings {
    let cloud = try TemporaryCloud.forMeasuring()
    let (phone, tablet) = (try MirrorDevice("phone", in: cloud), try MirrorDevice("tablet", in: cloud))
    let list = try List(tablet)
    let push = try BarePush(cloud)
    var number = 0
    let delays = try inRounds(
      options.size(100, quick: 10),
      [
        {
          number += 1
          let title = "Post \(number)"
          let start = monotonicNanoseconds()
          try phone.change { $0.add("Post", title) }
          try list.wait(for: title)
          return Double(monotonicNanoseconds() - start) / 1e6
        },
        { try push.delay() },
      ])
    return Findings(figures: [
      Figure(
        "from the save to the list", .milliseconds, delays[0], against: ("a record to its push", delays[1]),
        mark: .valueBelow(100)),
      Figure(
        "its 95th percentile", .milliseconds, Samples([delays[0].quantile(0.95)]),
        against: ("of the push", Samples([delays[1].quantile(0.95)]))),
    ])
  }

  /// The visible list of a program: a fetched results controller of a context that merges the store's changes.
  private final class List: NSFetchedResultsControllerDelegate {
    private let context: NSManagedObjectContext
    private let controller: NSFetchedResultsController<NSManagedObject>
    private let shown = ThreadCondition<String?>(nil)

    init(_ device: MirrorDevice) throws {
      context = device.container.newBackgroundContext()
      context.automaticallyMergesChangesFromParent = true
      let request = NSFetchRequest<NSManagedObject>(entityName: "Post")
      request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      controller = NSFetchedResultsController(
        fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
      try context.performAndWait {
        try controller.performFetch()
        controller.delegate = self
      }
    }

    func controller(
      _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange anObject: Any,
      at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
      let title = (anObject as? NSManagedObject)?.value(forKey: "title") as? String
      shown.change { $0 = title }
    }

    func wait(for title: String) throws {
      guard shown.wait(seconds: 60, { $0 == title ? true : nil }) == true else {
        throw UnexpectedResult(text: "\(title) did not come to the other device")
      }
    }
  }

  /// A record and its push, without a store.
  private final class BarePush {
    private let database: CKDatabase
    private let listener: PushListener
    private let arrival = ThreadCondition(0)
    private var count = 0

    init(_ cloud: TemporaryCloud) throws {
      let zone = CKRecordZone(zoneName: "Bare")
      let writer = try LocalCloud.acting(as: "alice", device: "writer", root: cloud.path) {
        CKContainer(identifier: TemporaryCloud.container)
      }
      database = writer.privateCloudDatabase
      let reader = try LocalCloud.acting(as: "alice", device: "reader", root: cloud.path) {
        CKContainer(identifier: TemporaryCloud.container)
      }
      listener = try LocalCloud.onPush(in: reader) { [arrival] _ in arrival.change { $0 += 1 } }
      let subscription = CKRecordZoneSubscription(zoneID: zone.zoneID, subscriptionID: "bare")
      try waiting { [database] in
        _ = try await database.save(zone)
        _ = try await reader.privateCloudDatabase.save(subscription)
      }
    }

    func delay() throws -> Double {
      count += 1
      let record = CKRecord(
        recordType: "Note",
        recordID: CKRecord.ID(
          recordName: "note-\(count)", zoneID: CKRecordZone.ID(zoneName: "Bare")))
      record["title"] = "Note \(count)"
      let before = arrival.change { $0 }
      let start = monotonicNanoseconds()
      try waiting { [database] in _ = try await database.save(record) }
      guard arrival.wait(seconds: 60, { $0 > before ? true : nil }) == true else {
        throw UnexpectedResult(text: "no push came")
      }
      return Double(monotonicNanoseconds() - start) / 1e6
    }
  }
}
