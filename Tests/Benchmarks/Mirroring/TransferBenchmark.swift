import CloudKit
import CoreData
import Foundation
import LocalCloud
import LocalCloudObjectStore
import LocalCloudPlatform
import TestSupport

/// Measures the rate of a store's first export and import beside plain CloudKit with the same number of records, the
/// cost of one change in a small and in a large store, and the memory of a large import.
enum TransferBenchmark: Benchmark {
  static let name = "transfer"
  static let summary = "a mirrored store's first export and import, against plain saves and fetches of records"

  static func run(_ options: Options) throws -> Findings {
    let total = options.size(10_000, quick: 500)
    var (exports, imports, saves, fetches): ([Double], [Double], [Double], [Double]) = ([], [], [], [])
    for _ in 0..<options.size(3, quick: 1) {
      let cloud = try TemporaryCloud.forMeasuring()
      exports.append(try export(total, in: cloud))
      imports.append(try self.import(total, "tablet", in: cloud))
      let plain = try PlainRecords(in: cloud)
      let records = try plain.count(of: "com.apple.coredata.cloudkit.zone")
      saves.append(try rate(of: total) { try plain.save(records) })
      fetches.append(try rate(of: total) { try plain.fetch(expecting: records) })
    }
    var findings = Findings(figures: [
      Figure(
        "objects sent", .perSecond, Samples(exports), against: ("as many records saved", Samples(saves)),
        mark: .ratioAtLeast(0.5)),
      Figure(
        "objects fetched", .perSecond, Samples(imports), against: ("as many records fetched", Samples(fetches)),
        mark: .ratioAtLeast(1.0 / 3)),
    ])
    findings.figures.append(try edits(options))
    findings.figures.append(try memory(options))
    return findings
  }

  /// The export rate of a store that was filled before it was mirrored.
  private static func export(_ total: Int, in cloud: TemporaryCloud) throws -> Double {
    let path = try Leftovers.folder("phone").path + "/private.sqlite"
    let local = try MirrorDevice("phone", root: cloud.path, store: path, isMirrored: false)
    try local.fill(total)
    try local.close()
    return try rate(of: total) { try MirrorDevice("phone", root: cloud.path, store: path).drain() }
  }

  private static func `import`(_ total: Int, _ name: String, in cloud: TemporaryCloud) throws -> Double {
    var device: MirrorDevice?
    let rate = try rate(of: total) {
      device = try MirrorDevice(name, in: cloud)
      try device?.drain()
    }
    let found = try ["Post", "Author", "Tag"].reduce(0) { try $0 + (device?.count($1) ?? 0) }
    guard found == total else { throw UnexpectedResult(text: "\(found) objects came of \(total)") }
    return rate
  }

  // MARK: One change

  private static func edits(_ options: Options) throws -> Figure {
    func device(_ total: Int) throws -> MirrorDevice {
      let device = try MirrorDevice("phone", in: try TemporaryCloud.forMeasuring())
      try device.fill(total)
      try device.drain()
      return device
    }
    let (small, large) = (try device(1_000), try device(options.size(20_000, quick: 2_000)))
    var round = 0
    func edit(_ device: MirrorDevice) throws -> Double {
      round += 1
      return try milliseconds {
        try device.change { context in
          let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
          request.fetchLimit = 1
          try context.fetch(request).first?.setValue("Turn \(round)", forKey: "title")
        }
        try device.drain()
      }
    }
    let times = try inRounds(options.size(60, quick: 5), [{ try edit(large) }, { try edit(small) }])
    return Figure(
      "one change in a store of \(options.size(20_000, quick: 2_000))", .milliseconds, times[0],
      against: ("in a store of 1000", times[1]), mark: .ratioAtMost(1.5))
  }

  // MARK: Memory

  /// The peak memory of a process that imports everything.
  private static func memory(_ options: Options) throws -> Figure {
    let total = options.size(100_000, quick: 2_000)
    let cloud = try TemporaryCloud.forMeasuring()
    let phone = try MirrorDevice("phone", in: cloud)
    try phone.fill(total)
    try phone.drain()
    let path = try Leftovers.folder("tablet").path + "/private.sqlite"
    let child = try ChildProcess(
      HostProcess.executablePath, [Worker.argument, Worker.Job.importing.rawValue, cloud.path, path, "\(total)"])
    let status = child.wait()
    guard status == 0, let bytes = child.output.split(separator: "\n").last.flatMap({ Double($0) }) else {
      throw UnexpectedResult(text: "the process ended with \(status): \(child.errors)")
    }
    return Figure(
      "peak memory of importing \(total) objects", .megabytes, Samples([bytes / 1e6]), mark: .valueBelow(200))
  }

  /// The job of that process.
  static func importAll(_ root: String, _ store: String, _ total: Int) throws {
    let device = try MirrorDevice("tablet", root: root, store: store)
    try device.drain()
    guard try device.count("Post") > total * 8 / 10 else { throw UnexpectedResult(text: "not all objects came") }
    StandardStream.output.write("\(try PeakMemory.bytes())\n")
  }
}

/// Records of the same size as the mirroring's, saved and fetched without it.
private struct PlainRecords {
  private let container: CKContainer
  private let zone = CKRecordZone(zoneName: "Plain")

  init(in cloud: TemporaryCloud) throws {
    container = try LocalCloud.acting(as: "alice", device: "plain", root: cloud.path) {
      CKContainer(identifier: TemporaryCloud.container)
    }
    let (container, zone) = (container, zone)
    try waiting { _ = try await container.privateCloudDatabase.save(zone) }
  }

  private func changes(
    in zoneID: CKRecordZone.ID, _ page: @escaping @Sendable (Int) -> Void
  ) throws {
    let container = container
    try waiting {
      var token: CKServerChangeToken?
      while true {
        let changes = try await container.privateCloudDatabase.recordZoneChanges(inZoneWith: zoneID, since: token)
        page(changes.modificationResultsByID.count)
        token = changes.changeToken
        if !changes.moreComing { return }
      }
    }
  }

  func count(of zone: String) throws -> Int {
    let count = ThreadCondition(0)
    try changes(in: CKRecordZone.ID(zoneName: zone)) { records in count.change { $0 += records } }
    return count.change { $0 }
  }

  func save(_ count: Int) throws {
    for start in stride(from: 0, to: count, by: 400) {
      let records = (start..<min(start + 400, count)).map { number in
        let record = CKRecord(
          recordType: "CD_Post", recordID: CKRecord.ID(recordName: UUID().uuidString, zoneID: zone.zoneID))
        record["CD_entityName"] = "Post"
        record["CD_title"] = "Post \(number)"
        record["CD_author"] = "0F8FAD5B-D9CB-469F-A165-70867728950E"
        return record
      }
      let container = container
      try waiting {
        _ = try await container.privateCloudDatabase.modifyRecords(saving: records, deleting: [], atomically: false)
      }
    }
  }

  func fetch(expecting count: Int) throws {
    guard try self.count(of: zone.zoneID.zoneName) == count else {
      throw UnexpectedResult(text: "not all records came")
    }
  }
}

/// Runs asynchronous work and waits for its end.
func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
  let outcome = ThreadCondition<Result<Void, any Error>?>(nil)
  Task {
    do {
      try await body()
      outcome.change { $0 = .success(()) }
    } catch {
      outcome.change { $0 = .failure(error) }
    }
  }
  guard let result = outcome.wait(seconds: 1200, { $0 }) else {
    throw UnexpectedResult(text: "the cloud did not answer")
  }
  try result.get()
}
