import Foundation
import LocalCloudPlatform

/// The coordinator's side of a process that answers requests; ``AnsweringProcess`` is the process's side. Requests and
/// answers are one line of JSON each.
package final class WorkerProcess<Request: Encodable, Answer: Decodable> {
  package let name: String
  private let process: ChildProcess

  /// Starts the process and waits until it is ready.
  package init(
    _ name: String, _ executable: String, _ arguments: [String], environment: [String: String] = [:]
  ) throws {
    self.name = name
    process = try ChildProcess(executable, arguments, environment: environment, hasInput: true)
    guard process.nextLine(seconds: 60) == "ready" else { throw silent }
  }

  private var silent: ScenarioEnd { ScenarioEnd("\(name) does not answer: \(process.errors.suffix(2000))") }

  /// Sends a request without waiting for the answer, so that several processes act concurrently.
  package func send(_ request: Request) throws {
    let line = String(decoding: try JSONEncoder().encode(request), as: UTF8.self)
    guard process.send(line) else { throw silent }
  }

  /// The next answer.
  package func answer() throws -> Answer {
    guard let line = process.nextLine(seconds: 120) else { throw silent }
    return try JSONDecoder().decode(Answer.self, from: Data(line.utf8))
  }

  package func ask(_ request: Request) throws -> Answer {
    try send(request)
    return try answer()
  }

  /// Sends a request and kills the process after some time: before, during or after the request.
  package func kill(in request: Request, after microseconds: UInt64) throws {
    try send(request)
    pause(microseconds: microseconds)
    kill()
  }

  /// Sends a request, waits until the process has ended or answered, and kills it.
  package func end(in request: Request) throws {
    try send(request)
    _ = process.nextLine(seconds: 120)
    kill()
  }

  /// Kills the process immediately, in any state.
  package func kill() {
    process.kill()
    process.hangUp()
    _ = process.wait()
  }
}

/// The other side of a ``WorkerProcess``: reads requests from standard input and writes answers, until the input ends.
package enum AnsweringProcess {
  package static func run<Request: Decodable & Sendable, Answer: Encodable & Sendable>(
    isolation: isolated (any Actor)? = #isolation, _ answer: (Request) async -> Answer
  ) async throws {
    let (decoder, encoder) = (JSONDecoder(), JSONEncoder())
    StandardStream.output.write("ready\n")
    while let line = readLine() {
      let answer = await answer(try decoder.decode(Request.self, from: Data(line.utf8)))
      StandardStream.output.write(String(decoding: try encoder.encode(answer), as: UTF8.self) + "\n")
    }
  }
}

/// Thrown if a run of random steps cannot continue.
package struct ScenarioEnd: Error, CustomStringConvertible {
  package var description: String

  package init(_ description: String) { self.description = description }
}
