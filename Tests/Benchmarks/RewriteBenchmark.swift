import Foundation
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import TestSupport

/// Measures that a zone's folder neither grows nor slows down with its history.
enum RewriteBenchmark: Benchmark {
  static let name = "rewrite"
  static let summary = "1000 records that are saved over and over: room on the disk and time of a batch"

  static func run(_ options: Options) throws -> Findings {
    let live = 1_000
    let count = options.quick ? 4_000 : options.long ? 1_000_000 : 100_000
    let cloud = try TemporaryCloud.forMeasuring()
    let client = try ZoneClient.making("Notes", in: cloud)
    try client.fill(0..<live)
    let before = try bytesOnDisk(client.folder(in: cloud))
    var times: [Double] = []
    try client.rewrite(count, of: live) { batch in times.append(try milliseconds(batch)) }
    let after = try bytesOnDisk(client.folder(in: cloud))
    // With fewer than ten batches, single outliers would decide.
    let part = max(10, times.count / 100)
    return Findings(figures: [
      Figure(
        "on disk a live record, after \(count) saves", .bytes, Samples([after / Double(live)]),
        against: ("never rewritten", Samples([before / Double(live)])), mark: .ratioAtMost(8)),
      Figure(
        "a batch of 400, the last \(part) of \(times.count)", .milliseconds, Samples(times.suffix(part)),
        against: ("the first \(part)", Samples(Array(times.prefix(part)))), mark: .ratioAtMost(1.5)),
    ])
  }

  /// The bytes that the files and folders occupy on the disk, not the sizes of their contents.
  private static func bytesOnDisk(_ folder: String) throws -> Double {
    guard let paths = FileManager.default.subpaths(atPath: folder) else {
      throw UnexpectedResult(text: "there is no folder to weigh")
    }
    return ([""] + paths).reduce(0) { sum, path in
      var status = stat()
      return lstat(folder + "/" + path, &status) == 0 ? sum + Double(status.st_blocks) * 512 : sum
    }
  }
}
