import CloudService
import CloudStore
import Platform
import TestSupport

/// One process saves batches of growing size, beside what the disk itself needs for one durable write.
enum SaveBenchmark {
  static func run() throws {
    let fileSystem = FileSystem()
    let cloud = try TemporaryCloud(fileSystem: fileSystem)
    let caller = cloud.caller("alice")
    let zone = ZoneIdentifier(name: "Notes")
    _ = try cloud.service.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: caller)
    Benchmarks.say("saves: medians of 200 calls; one durable append of 1 kB: \(Benchmarks.text(try floor(cloud.path)))")
    for size in [1, 10, 100] {
      var times: [Double] = []
      var syncs: Set<Int> = []
      for round in 0..<200 {
        let saves = (0..<size).map { item in
          RecordSave(
            id: RecordIdentifier(name: ExactName("\(size)-\(round)-\(item)"), zone: zone), type: "Note",
            fields: ["text": .string("A note of some length, as people write them."), "count": .int64(Int64(round))])
        }
        let before = fileSystem.fileSyncs.load(ordering: .relaxed)
        times.append(
          try Benchmarks.time {
            let response = try cloud.service.modifyRecords(
              ModifyRecordsRequest(scope: .private, saves: saves), by: caller)
            for save in response.saves { _ = try save.get() }
          })
        syncs.insert(fileSystem.fileSyncs.load(ordering: .relaxed) - before)
      }
      Benchmarks.say(
        "  \(size) records a call: \(Benchmarks.text(Benchmarks.median(times))), syncs a call: "
          + syncs.sorted().map(String.init).joined(separator: " or "))
    }
  }

  /// What the disk needs for one append and one fdatasync.
  private static func floor(_ folder: String) throws -> Double {
    let file = try Directory.open(path: folder, in: FileSystem()).createFile(".floor")
    let bytes = [UInt8](repeating: 7, count: 1024)
    return try Benchmarks.median(
      (0..<200).map { round in
        try Benchmarks.time {
          try file.write(bytes, at: round * bytes.count)
          try file.sync()
        }
      })
  }
}
