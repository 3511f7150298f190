import LocalCloudModel
import LocalCloudPlatform
import TestSupport

/// Measures the peak memory of commands that walk through a large zone, or delete it.
enum LargeZoneBenchmark: Benchmark {
  static let name = "large"
  static let summary = "the peak memory of list, export, check and delete in a zone of 200,000 records"

  private static let formats = ["table", "tsv", "jsonl", "json"]
  /// Its many commits compact the zone's log: that takes as much memory as during saves.
  private static let emptying = "zone delete of the default zone"

  static func run(_ options: Options) throws -> Findings {
    let localcloud = HostProcess.executableFolder + "/localcloud"
    guard HostProcess.isExecutable(localcloud) else {
      return .skipped("build it first: swift build -c release --static-swift-stdlib")
    }
    let count = options.size(200_000, quick: 2_000)
    let cloud = try TemporaryCloud.forMeasuring()
    let client = try ZoneClient.making("Notes", in: cloud)
    try client.fill(0..<count)
    var inDefaultZone = client
    inDefaultZone.zone = .default
    try inDefaultZone.fill(0..<count)
    let zone = ["--zone", "Notes"]
    // The deletions come last.
    let commands: [(name: String, words: [String])] =
      formats.map { ("record list as \($0)", ["record", "list", "--format", $0] + zone) } + [
        ("record list of a type", ["record", "list", "Note"] + zone), ("changes", ["changes"] + zone),
        ("export", ["export"] + zone), ("export of a document", ["export", "--json"] + zone), ("check", ["check"]),
        ("zone delete", ["zone", "delete", "Notes", "--yes"]), (emptying, ["zone", "delete", "_defaultZone", "--yes"]),
      ]
    let variables = [
      "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": "alice", "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
    ]
    return Findings(
      figures: try commands.map { command in
        let child = try ChildProcess(
          HostProcess.executablePath, [Worker.argument, Worker.Job.tool.rawValue, localcloud] + command.words,
          environment: variables)
        let status = child.wait(seconds: 3600)
        guard status == 0, let bytes = Double(child.output.prefix { $0.isNumber }) else {
          throw UnexpectedResult(text: "\(command.name) ended with \(status): \(child.errors)")
        }
        return Figure(
          "peak memory of \(command.name), \(count) records", .megabytes, Samples([bytes / 1e6]),
          mark: .valueBelow(command.name == emptying ? 150 : 60))
      })
  }
}
