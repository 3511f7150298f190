import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Measures a snapshot of a cloud with one large zone, and its restore, against `cp` of the same tree.
enum SnapshotBenchmark: Benchmark {
  static let name = "snapshot"
  static let summary = "\"snapshot save\" and \"restore\" against \"cp -r --reflink=auto\""

  static func run(_ options: Options) throws -> Findings {
    let cloud = try TemporaryCloud.forMeasuring()
    let client = try ZoneClient.making("Notes", in: cloud)
    let count = options.size(100_000, quick: 4000)
    for start in stride(from: 0, to: count, by: ZoneClient.batch) {
      try client.fill(start..<min(count, start + ZoneClient.batch))
    }
    let store = cloud.service.cloud
    let folder = try Leftovers.folder("copies")
    let syncFile = try folder.directory.createFile("file")
    var (saves, copies) = (0, 0)
    let times = try inRounds(
      options.size(5, quick: 3),
      [
        {
          // Neither side pays for unwritten data of the other.
          try syncFile.syncFileSystem()
          saves += 1
          return try milliseconds {
            _ = try store.saveSnapshot(
              "snapshot", note: nil, created: 0, replacing: saves > 1, LockWaitPolicy())
          }
        },
        {
          try syncFile.syncFileSystem()
          copies += 1
          let target = folder.path + "/copy-\(copies)"
          return try milliseconds {
            let parts = Cloud.parts.map { cloud.path + "/" + $0 }
            try expect("/bin/sh", ["-c", "mkdir \(target)"])
            try expect("/bin/cp", ["-r", "--reflink=auto"] + parts + [target])
          }
        },
      ])
    let restore = try milliseconds { try store.restoreSnapshot("snapshot", LockWaitPolicy()) }
    return Findings(figures: [
      Figure(
        "a snapshot of \(count) records", .milliseconds, times[0], against: ("cp -r --reflink=auto", times[1]),
        mark: .ratioAtMost(2)),
      Figure("its restore", .milliseconds, Samples([restore])),
    ])
  }
}
