import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Reads all record files repeatedly without a lock, and records the files that cannot be parsed.
final class FileLoop: Sendable {
  private let state = ThreadCondition((stopping: false, done: false, read: 0, problems: [String]()))

  init(folder: String) {
    let state = state
    startThread {
      while !state.change({ $0.stopping }) {
        var read = 0
        var problems: [String] = []
        if let directory = try? Directory.open(path: folder, in: FileSystem()) {
          for entry in (try? directory.entries()) ?? [] where entry.name.hasSuffix(".json") {
            guard let bytes = try? directory.contents(entry.name) else { continue }
            read += 1
            do { _ = try JSONValue(parsing: bytes) } catch { problems.append("\(entry.name) did not parse: \(error)") }
          }
        }
        state.change {
          $0.read += read
          $0.problems += problems
        }
      }
      state.change { $0.done = true }
    }
  }

  func stop() -> (read: Int, problems: [String]) {
    state.change { $0.stopping = true }
    return state.wait(seconds: 60) { $0.done ? ($0.read, $0.problems) : nil } ?? (0, ["the file loop did not stop"])
  }
}

/// Reads all record files repeatedly with `jq`, as a user would: without a lock or a tool of this package.
final class JQLoop: Sendable {
  private let child: ChildProcess
  private let folder: String

  /// Starts the loop. Nil if there is no `jq`.
  init?(folder: String) throws {
    let folders = (HostProcess.environment("PATH") ?? "/usr/bin").split(separator: ":")
    guard folders.contains(where: { HostProcess.isExecutable("\($0)/jq") }) else { return nil }
    self.folder = folder
    // A file ends the loop between two rounds, so that no round is interrupted.
    let script = """
      cd "$1" || exit 1
      while [ ! -e ../.journal/.stop-jq ]; do
        for file in *.json; do set -- "$file"; break; done
        [ -e "$1" ] && jq -e 'has("recordName")' *.json >/dev/null
        echo round
      done
      """
    child = try ChildProcess("/bin/sh", ["-c", script, "sh", folder])
  }

  func stop() throws -> (rounds: Int, errors: String) {
    _ = try Directory.open(path: folder + "/../.journal", in: FileSystem()).createFile(".stop-jq")
    _ = child.wait()
    return (child.output.split(separator: "\n").count, child.errors)
  }
}
