import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore

/// Eight writers of three accounts start together behind a barrier. Concurrently four processes read the feed, and
/// loops read the record files. Then all guarantees are checked.
package struct StressRun {
  package struct Report: CustomStringConvertible {
    package var problems: [String] = []
    package var seconds: Double = 0
    package var commits = 0
    package var filesRead = 0
    /// The rounds of `jq` over all record files; nil if there is no `jq`.
    package var jqRounds: Int?

    package var description: String {
      let rate = Int(Double(commits) / max(seconds, 0.001))
      let text =
        "\(commits) commits in \(Int(seconds * 1000)) ms (\(rate) a second), \(filesRead) files looked at meanwhile"
        + (jqRounds.map { ", \($0) rounds of jq" } ?? ", no jq here")
      return problems.isEmpty ? text : text + "\n  " + problems.joined(separator: "\n  ")
    }
  }

  let mode: StressNames.Mode
  let executable: String
  let writers: Int
  let saves: Int

  package init(mode: StressNames.Mode, executable: String, writers: Int = 8, saves: Int? = nil) {
    self.mode = mode
    self.executable = executable
    self.writers = writers
    self.saves = saves ?? (mode == .batches ? 100 : 400)
  }

  package func run() throws -> Report {
    let stage = try StressStage()
    var report = Report()
    let accounts = ["alice", "bob", "carol"]
    let start = try stage.barrier()
    let writing = try (0..<writers).map { number in
      try stage.worker(executable, account: accounts[number % 3], mode, number, saves)
    }
    let reading = try (0..<4).map { number in
      try stage.worker(executable, account: accounts[number % 3], .reader, number, writers)
    }
    for child in writing + reading where !child.waitForOutput("ready", seconds: 60) {
      report.problems.append("a process did not start: \(child.errors)")
    }
    let looking = FileLoop(folder: stage.recordsFolder)
    let jq = try JQLoop(folder: stage.recordsFolder)
    let begin = monotonicNanoseconds()
    start.unlock()
    for (number, child) in writing.enumerated() {
      let status = child.wait()
      if status != 0 { report.problems.append("writer \(number) ended with \(status): \(child.errors)") }
    }
    report.seconds = Double(monotonicNanoseconds() - begin) / 1e9
    report.commits = writers * saves
    try stage.announceEnd(of: writers)
    for (number, child) in reading.enumerated() {
      let status = child.wait()
      if status != 0 { report.problems.append("reader \(number) ended with \(status): \(child.errors)") }
      report.problems += problems(ofReader: number, child.output)
    }
    if let jq {
      let (rounds, errors) = try jq.stop()
      report.jqRounds = rounds
      if !errors.isEmpty { report.problems.append("jq: \(errors.prefix(500))") }
    }
    let looked = looking.stop()
    report.filesRead = looked.read
    report.problems += looked.problems
    report.problems += try stage.service.checks.check().map { "check: \($0.path): \($0.text)" }
    return report
  }

  private func problems(ofReader number: Int, _ output: String) -> [String] {
    var found: [String] = []
    var stamps: [String: String] = [:]
    for line in output.split(separator: "\n") {
      if line.hasPrefix("!") { found.append("reader \(number): \(line)") }
      let parts = line.split(separator: " ")
      if parts.count == 3, parts[0] == "=" { stamps[String(parts[1])] = String(parts[2]) }
    }
    for writer in 0..<writers {
      if mode == .singles {
        for index in 0..<saves where stamps[StressNames.single(writer, index)] != "\(index)" {
          found.append("reader \(number) never saw save \(index) of writer \(writer)")
        }
      } else {
        for name in StressNames.batch(writer) where stamps[name] != "\(saves)" {
          found.append(
            "reader \(number) has \(stamps[name] ?? "nothing") for \(name), not the last stamp \(saves)")
        }
      }
    }
    return Array(found.prefix(20))
  }
}
