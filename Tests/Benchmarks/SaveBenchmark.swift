import LocalCloudPlatform
import TestSupport

/// Measures single saves of one process, compared with one durable write to the disk.
enum SaveBenchmark: Benchmark {
  static let name = "saves"
  static let summary = "a single save against one durable append"

  static func run(_ options: Options) throws -> Findings {
    let fileSystem = FileSystem()
    let cloud = try TemporaryCloud.forMeasuring(fileSystem: fileSystem)
    let client = try ZoneClient.making("Notes", in: cloud)
    let folder = try Leftovers.folder("append")
    let file = try folder.directory.createFile("log")
    let bytes = [UInt8](repeating: 7, count: 1024)
    let rounds = options.size(400, quick: 20)
    var number = 0
    let before = fileSystem.fileSyncs.load(ordering: .relaxed)
    let times = try inRounds(
      rounds,
      [
        {
          number += 1
          return try milliseconds { try client.save([client.note("note-\(number)", number)]) }
        },
        {
          try milliseconds {
            try file.write(bytes, at: try file.size())
            try file.sync()
          }
        },
      ])
    let syncs = fileSystem.fileSyncs.load(ordering: .relaxed) - before
    var findings = Findings()
    findings.figures.append(
      Figure("one record", .milliseconds, times[0], against: ("write and sync of 1 kB", times[1])))
    findings.notes.append("\(rounds) saves made \(syncs) syncs")
    return findings
  }
}
