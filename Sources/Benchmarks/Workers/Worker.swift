import Platform

/// A process that a benchmark starts: this program again, with a job.
enum Worker {
  /// Stands first among the arguments of such a process.
  static let argument = "worker"

  /// Each job is followed by its own arguments; `client` is what ``WorkerArguments/client()`` takes.
  enum Job: String {
    /// Single saves: client, parent or `-`, number, seconds, barrier.
    case save
    /// Follows the feed over and over: client, seconds, barrier.
    case read
    /// Single rows: database, number, seconds, barrier.
    case insert
    /// Saves in batches, and says how much memory that took: client, number of records.
    case bulk
    /// Finds notes of group zero, and says how much memory that took if it is asked to: client, how many there are, `say` or
    /// `-`.
    case query
    /// Takes pushes until it is killed: client, device.
    case listen
    /// Watches a folder until it is killed: folder.
    case watch
  }

  static func run(_ arguments: [String]) throws {
    guard let job = arguments.first.flatMap(Job.init) else { throw UsageError(message: "no such job") }
    var rest = WorkerArguments(arguments.dropFirst())
    switch job {
    case .save:
      let client = try rest.client()
      let (parent, number) = (try rest.text(), try rest.int())
      try Contender(&rest).run { turn in
        try client.save([client.note("w\(number)-\(turn)", turn, under: parent == "-" ? nil : parent)])
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
    case .listen:
      let client = try rest.client()
      try Listening.toPushes(client, device: try rest.text())
    case .watch:
      try Listening.toFolder(try rest.text())
    }
  }
}
