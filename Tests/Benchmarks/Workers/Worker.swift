import Foundation
import LocalCloudPlatform

/// A process that a benchmark starts: this program with a job.
enum Worker {
  /// The first argument of a worker process.
  static let argument = "worker"

  /// The jobs. Each is followed by its own arguments; `client` stands for those of ``WorkerArguments/client()``.
  enum Job: String {
    /// Makes single saves: client, parent or `-`, number, seconds, barrier.
    case save
    /// Reads the feed repeatedly: client, seconds, barrier.
    case read
    /// Inserts single rows: database, number, seconds, barrier.
    case insert
    /// Saves in batches and prints its peak memory: client, number of records.
    case bulk
    /// Queries the notes of group zero, and prints its peak memory with `say`: client, expected number, `say` or `-`.
    case query
    /// Reads all objects of a Core Data store in batches, and prints its peak memory: store, number of objects.
    case page
    /// Imports all objects of a cloud into a mirrored store, and prints its peak memory: cloud, store, object count.
    case importing = "import"
    /// Runs a sync engine: a job of ``EngineWorker``, cloud, and the job's number.
    case engine
    /// Receives pushes until it is killed: client, device.
    case listen
    /// Watches a folder until it is killed: folder.
    case watch
    /// Waits for one record after another, until it is killed: client.
    case wait
    /// Runs a program, without its output, and prints its peak memory: program, its arguments.
    case tool
    /// Waits for a record that does not come, and prints the processor time that it took: client, seconds.
    case idle
  }

  static func run(_ arguments: [String]) throws {
    guard let job = arguments.first.flatMap(Job.init) else { throw UsageError(message: "no such job") }
    var rest = WorkerArguments(arguments.dropFirst())
    switch job {
    case .save:
      let client = try rest.client()
      let (parent, number) = (try rest.text(), try rest.int())
      try Contender(&rest).run { round in
        try client.save([client.note("w\(number)-\(round)", round, under: parent == "-" ? nil : parent)])
      }
    case .read:
      let client = try rest.client()
      var token = try client.walk().token
      try Contender(&rest).run { _ in token = try client.walk(since: token).token }
    case .insert:
      guard let database = try SQLite.open(try rest.text()) else { throw UnexpectedResult(text: SQLite.missing) }
      let number = try rest.int()
      try Contender(&rest).run { try database.run(SQLite.insertion("w\(number)-\($0)", $0)) }
    case .bulk:
      let client = try rest.client()
      try client.fill(0..<(try rest.int()))
      StandardStream.output.write("\(try PeakMemory.bytes())\n")
    case .query:
      let client = try rest.client()
      try client.find(expecting: try rest.int())
      if try rest.text() == "say" { StandardStream.output.write("\(try PeakMemory.bytes())\n") }
    case .page: try FetchingBenchmark.page(try rest.text(), try rest.int())
    case .importing:
      let root = try rest.text()
      try TransferBenchmark.importAll(root, try rest.text(), try rest.int())
    case .engine:
      try EngineWorker.run(&rest)
    case .listen:
      let client = try rest.client()
      try Listening.toPushes(client, device: try rest.text())
    case .watch:
      try Listening.toFolder(try rest.text())
    case .wait:
      try Listening.toRecords(try rest.client())
    case .tool:
      // The program's output is not that of this process.
      let status = try runProgram("/bin/sh", ["-c", #"exec "$0" "$@" >/dev/null"#] + rest.all())
      guard status == 0 else { throw UnexpectedResult(text: "the program ended with \(status)") }
      StandardStream.output.write("\(HostProcess.peakMemoryOfChildren)\n")
    case .idle:
      let client = try rest.client()
      try AwaitBenchmark.idle(client, try rest.double())
    }
  }
}

/// The peak memory of this process.
enum PeakMemory {
  static func bytes() throws -> Int {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kilobytes = line?.split(whereSeparator: { $0 == " " || $0 == "\t" }).compactMap({ Int($0) }).first else {
      throw UnexpectedResult(text: "the system does not say how much memory was used")
    }
    return kilobytes * 1024
  }
}
