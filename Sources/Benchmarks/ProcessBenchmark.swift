import Platform
import TestSupport

/// `localcloud record save` against `sqlite3 file.db 'insert …'`: whole processes, durable, on one disk, in turn.
enum ProcessBenchmark {
  static func run() throws {
    let localcloud = siblingExecutable("localcloud")
    guard let sqlite = ["/usr/bin/sqlite3", "/usr/local/bin/sqlite3", "/bin/sqlite3"].first(where: isExecutable) else {
      return Benchmarks.say("process: skipped, there is no sqlite3 to compare with")
    }
    guard isExecutable(localcloud) else {
      return Benchmarks.say("process: skipped; build it first: swift build -c release --static-swift-stdlib")
    }
    let folder = TemporaryCloud.newFolder("process")
    defer { try? TemporaryCloud.remove(folder) }
    try expect(localcloud, ["init", folder + "/cloud"])
    let variables = [
      "LOCALCLOUD_ROOT": folder + "/cloud", "LOCALCLOUD_ACCOUNT": "alice", "LOCALCLOUD_CONTAINER": "iCloud.benchmark",
    ]
    try expect(localcloud, ["account", "add", "alice"], variables)
    try expect(localcloud, ["zone", "save", "Notes"], variables)
    let database = folder + "/file.db"
    try expect(sqlite, [database, "create table note (name text primary key, text text)"])

    var (ours, theirs): ([Double], [Double]) = ([], [])
    for round in 0..<200 {
      ours.append(
        try Benchmarks.time {
          try expect(
            localcloud,
            ["record", "save", "Note", "text=Milk", "--name", "note-\(round)", "--zone", "Notes", "--quiet"],
            variables)
        })
      theirs.append(
        try Benchmarks.time { try expect(sqlite, [database, "insert into note values ('note-\(round)', 'Milk')"]) })
    }
    let (mine, other) = (Benchmarks.median(ours), Benchmarks.median(theirs))
    Benchmarks.say(
      "process: localcloud record save \(Benchmarks.text(mine)), sqlite3 insert \(Benchmarks.text(other)), ratio "
        + "\(Benchmarks.ratio(mine / other)) (at most 2)")
  }

  private static func expect(_ program: String, _ arguments: [String], _ variables: [String: String] = [:]) throws {
    let status = try runProgram(program, arguments, variables)
    precondition(status == 0, "\(program) \(arguments.joined(separator: " ")) ended with \(status)")
  }

  private static func siblingExecutable(_ name: String) -> String {
    let parts = HostProcess.executablePath.split(separator: "/").dropLast()
    return "/" + parts.joined(separator: "/") + "/" + name
  }

  private static func isExecutable(_ path: String) -> Bool { HostProcess.isExecutable(path) }
}
