import LocalCloudPlatform
import TestSupport

/// Measures whole processes that make one durable change on the same disk, and the cost of a cloud for one command.
enum ProcessBenchmark: Benchmark {
  static let name = "process"
  static let summary = "\"localcloud record save\" against \"sqlite3 file.db 'insert …'\""

  static func run(_ options: Options) throws -> Findings {
    let localcloud = HostProcess.executableFolder + "/localcloud"
    guard let sqlite = SQLite.tool else { return .skipped("there is no sqlite3 to compare with") }
    guard HostProcess.isExecutable(localcloud) else {
      return .skipped("build it first: swift build -c release --static-swift-stdlib")
    }
    let cloud = try TemporaryCloud.forMeasuring()
    _ = try ZoneClient.making("Notes", in: cloud)
    let variables = [
      "LOCALCLOUD_ROOT": cloud.path, "LOCALCLOUD_ACCOUNT": "alice", "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
    ]
    let folder = try Leftovers.folder("process")
    let database = folder.path + "/file.db"
    try expect(sqlite, [database, SQLite.creation])

    // The output of the processes is not that of this one.
    let silent = ["-c", #"exec "$0" "$@" >/dev/null"#]
    var (ours, theirs) = (0, 0)
    let times = try inRounds(
      options.size(200, quick: 10),
      [
        {
          ours += 1
          let fields = ["text=A note of some length, as people write them.", "count:int64=\(ours)"]
          let arguments =
            ["record", "save", "Note"] + fields + ["--name", "note-\(ours)", "--zone", "Notes", "--quiet"]
          return try milliseconds { try expect("/bin/sh", silent + [localcloud] + arguments, variables) }
        },
        {
          theirs += 1
          let arguments = [database, SQLite.insertion("note-\(theirs)", theirs)]
          return try milliseconds { try expect("/bin/sh", silent + [sqlite] + arguments) }
        },
      ])
    return Findings(figures: [
      Figure("one save", .milliseconds, times[0], against: ("sqlite3 insert", times[1]), mark: .ratioAtMost(2)),
      try execution(localcloud, options),
    ])
  }

  /// The time that `exec` with three people adds to a command. The command does nothing and takes about a millisecond.
  private static func execution(_ localcloud: String, _ options: Options) throws -> Figure {
    let arguments = ["exec", "--people", "anna,ben,cleo", "--", "/bin/true"]
    let times = try inRounds(
      options.size(50, quick: 5),
      [
        { try milliseconds { try expect(localcloud, arguments) } },
        { try milliseconds { try expect("/bin/true", []) } },
      ])
    return Figure(
      "exec with three people", .milliseconds, times[0], against: ("the command", times[1]), mark: .valueBelow(50))
  }
}
