import Platform
import TestSupport

/// The director's side of a ``GraphWorker``.
final class GraphProcess {
  let name: String
  private let process: ChildProcess

  struct Silent: Error, CustomStringConvertible {
    var description: String
  }

  init(_ name: String, _ executable: String, _ folder: String) throws {
    self.name = name
    process = try ChildProcess(executable, ["graph-worker", name, folder], isTold: true)
    guard process.nextLine(seconds: 60) == "ready" else { throw silent }
  }

  private var silent: Silent { Silent(description: "\(name) does not answer: \(process.errors.suffix(2000))") }

  func ask(_ command: GraphCommand) throws -> GraphAnswer {
    guard process.tell(try GraphMessage.line(command)), let line = process.nextLine(seconds: 120) else { throw silent }
    let answer: GraphAnswer = try GraphMessage.read(line)
    if let trouble = answer.trouble { throw Silent(description: "\(name): \(trouble)") }
    return answer
  }

  /// Stops the process while it does something, or before, or after.
  func kill(in command: GraphCommand, after microseconds: Int) throws {
    guard process.tell(try GraphMessage.line(command)) else { throw silent }
    pause(microseconds: UInt64(microseconds))
    kill()
  }

  /// Stops the process at once, wherever it is.
  func kill() {
    process.kill()
    process.hangUp()
    _ = process.wait()
  }
}
