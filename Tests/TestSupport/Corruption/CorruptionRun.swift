import LocalCloudPlatform

/// Runs thousands of cases with mutated or random files, or things of another kind at the paths of files. Nothing may
/// crash or hang, no other data may be lost, and repair must mend the cloud.
///
/// The cases run in child processes, `workers` at a time. A child that crashes or hangs is reported with its case, and
/// another child continues after it.
package struct CorruptionRun {
  let count: Int
  let seed: UInt64
  let executable: String
  let workers: Int
  /// Called with a child's report when the child has ended.
  let progress: @Sendable (CorruptionReport) -> Void
  /// The number of cases of a child.
  private static let chunk = 1000

  package init(
    count: Int, seed: UInt64 = UInt64(monotonicNanoseconds()), executable: String, workers: Int = 2,
    progress: @escaping @Sendable (CorruptionReport) -> Void = { _ in }
  ) {
    self.progress = progress
    self.count = count
    self.seed = seed
    self.executable = executable
    self.workers = workers
  }

  package func run() throws -> CorruptionReport {
    let report = ThreadCondition((CorruptionReport(seed: seed), working: workers))
    for worker in 0..<workers {
      startThread {
        var first = worker
        while first < count {
          var part = CorruptionReport(seed: seed)
          let end = min(first + Self.chunk * workers, count)
          first = follow(first, end, &part) ?? first + Self.chunk * workers
          report.change { [part] in $0.0.add(part) }
          progress(part)
        }
        report.change { $0.working -= 1 }
      }
    }
    while true {
      if let done = report.wait(seconds: 3600, { $0.working == 0 ? $0.0 : nil }) { return done }
    }
  }

  /// Runs a child. Returns the case to continue at if the child did not finish.
  private func follow(_ first: Int, _ end: Int, _ report: inout CorruptionReport) -> Int? {
    let child: ChildProcess
    do {
      child = try ChildProcess(executable, ["corruption-worker", "\(seed)", "\(first)", "\(end)", "\(workers)"])
    } catch {
      report.problems.append("no child process: \(error)")
      return nil
    }
    let status = child.wait()
    let lines = child.output.split(separator: "\n")
    var last: (number: Int, text: Substring)?
    for line in lines {
      let words = line.split(separator: " ")
      if line.hasPrefix("! ") {
        report.problems.append(String(line.dropFirst(2)))
      } else if words.count == 4, words[0] == "case", let number = Int(words[1]) {
        last = (number, line)
        report.counts[String(words[2]), default: [:]][String(words[3]), default: 0] += 1
      }
    }
    if status == 0, lines.last == "end" { return nil }
    let what = status == 3 ? "takes too long" : "ends the process with \(status): \(child.errors.prefix(2000))"
    report.problems.append("\(last?.text ?? "the start") \(what)")
    return last.map { $0.number + workers }
  }
}

/// The report of a corruption run: its cases by kinds of file and of mutation, and its problems.
package struct CorruptionReport: Sendable, CustomStringConvertible {
  package var seed: UInt64
  package var problems: [String] = []
  package var counts: [String: [String: Int]] = [:]

  /// The name that a case has in place of a mutation that changes nothing. Such a case is skipped.
  static let unchanged = "unchanged"

  init(seed: UInt64) { self.seed = seed }

  package var cases: Int { counts.values.reduce(0) { $0 + $1.values.reduce(0, +) } }

  package var skipped: Int { counts.values.reduce(0) { $0 + ($1[Self.unchanged] ?? 0) } }

  mutating func add(_ other: CorruptionReport) {
    problems += other.problems
    counts.merge(other.counts) { $0.merging($1, uniquingKeysWith: +) }
  }

  package var description: String {
    let kinds = counts.sorted { $0.key < $1.key }.map { "  \($0.key): \($0.value.values.reduce(0, +))" }
    let lines =
      ["\(cases) files, \(skipped) of them unchanged and skipped, seed \(seed), \(problems.count) problems"] + kinds
    return (lines + problems.sorted().prefix(200).map { "  ! \($0)" }).joined(separator: "\n")
  }
}
