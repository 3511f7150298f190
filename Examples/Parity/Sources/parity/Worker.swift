import Foundation

/// Performs an actor's steps, one at a time.
protocol Acting: Sendable {
  func perform(_ request: Request) async throws -> Response
}

extension Performer: Acting {}

/// An actor as a process of its own, with the variables of its user and device: `parity act ACTOR`. It reads a request
/// a line from its standard input, and writes a response a line. It ends at the end of its input.
// Sendable: the properties are constants, and one task uses them, one request at a time.
final class Worker: Acting, @unchecked Sendable {
  private let actor: String
  private let process = Process()
  private let input = Pipe()
  private let output = Pipe()

  init(actor: String, options: Options) throws {
    self.actor = actor
    let parts = actor.split(separator: ".")
    process.executableURL = Bundle.main.executableURL
    process.arguments = ["act", actor, "--container", options.container, "--query-timeout", "\(options.queryTimeout)"]
    // With one order of dictionaries, the archives of equal tokens are equal in all processes.
    process.environment = ProcessInfo.processInfo.environment.merging([
      "LOCALCLOUD_ACCOUNT": String(parts[0]), "LOCALCLOUD_DEVICE": parts.joined(separator: "-"),
      "SWIFT_DETERMINISTIC_HASHING": "1",
    ]) { $1 }
    process.standardInput = input
    process.standardOutput = output
    // A write to a process that has ended throws then.
    signal(SIGPIPE, SIG_IGN)
    try process.run()
  }

  func perform(_ request: Request) async throws -> Response {
    do {
      try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(request) + Data("\n".utf8))
    } catch {
      throw ParityError("the process of \(actor) has ended")
    }
    var line = Data()
    while line.last != UInt8(ascii: "\n") {
      let part = output.fileHandleForReading.availableData
      guard !part.isEmpty else { throw ParityError("the process of \(actor) ended without an answer") }
      line += part
    }
    return try JSONDecoder().decode(Response.self, from: line)
  }

  /// Ends the processes, and waits for their ends.
  static func end(_ workers: [Worker]) {
    // All inputs end first: a process may hold the input of one that was started earlier.
    for worker in workers { try? worker.input.fileHandleForWriting.close() }
    for worker in workers { worker.process.waitUntilExit() }
  }

  /// The work of the process.
  static func act(as actor: String, options: Options) async throws {
    let performer = try Performer(actor: actor, container: options.container, queryTimeout: options.queryTimeout)
    while let line = readLine() {
      let request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
      let response = try await performer.perform(request)
      try FileHandle.standardOutput.write(contentsOf: JSONEncoder().encode(response) + Data("\n".utf8))
    }
  }
}
