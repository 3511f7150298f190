import CloudService
import CloudStore
import Platform

/// Eight writers of three accounts behind one barrier, four readers beside them, and a look at the record files as any
/// `jq` loop would take it; then every promise is checked.
package struct StressRun {
  package struct Report: CustomStringConvertible {
    package var problems: [String] = []
    package var seconds: Double = 0
    package var commits = 0
    package var filesRead = 0

    package var description: String {
      let rate = Int(Double(commits) / max(seconds, 0.001))
      let text =
        "\(commits) commits in \(Int(seconds * 1000)) ms (\(rate) a second), \(filesRead) files looked at meanwhile"
      return problems.isEmpty ? text : text + "\n  " + problems.joined(separator: "\n  ")
    }
  }

  let mode: StressWorker.Mode
  let executable: String
  let writers: Int
  let saves: Int

  package init(mode: StressWorker.Mode, executable: String, writers: Int = 8, saves: Int? = nil) {
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
    let looked = looking.stop()
    report.filesRead = looked.read
    report.problems += looked.problems
    report.problems += try stage.service.check().map { "check: \($0.path): \($0.text)" }
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
        for index in 0..<saves where stamps["\(StressWorker.single(writer, index))"] != "\(index)" {
          found.append("reader \(number) never saw save \(index) of writer \(writer)")
        }
      } else {
        for name in StressWorker.batch(writer) where stamps["\(name)"] != "\(saves)" {
          found.append(
            "reader \(number) has \(stamps["\(name)"] ?? "nothing") for \(name), not the last stamp \(saves)")
        }
      }
    }
    return Array(found.prefix(20))
  }
}

/// A cloud with one zone that three people share, for processes to meet in.
package struct StressStage {
  package let cloud: TemporaryCloud
  package let owner: String

  package init() throws {
    cloud = try TemporaryCloud { settings in
      settings.clock = systemTimeMilliseconds
      settings.identifiers = HostProcess.randomBytes
    }
    let alice = cloud.caller("alice")
    let zone = ZoneIdentifier(name: StressWorker.zoneName)
    owner = try cloud.service.userRecordName(by: alice)
    _ = try cloud.service.modifyZones(ModifyZonesRequest(scope: .private, saves: [zone]), by: alice).saves[0].get()
    let root = RecordSave(id: RecordIdentifier(name: StressWorker.rootName, zone: zone), type: "Root")
    let people = try cloud.service.participants(
      for: [.email("bob@example.com"), .email("carol@example.com")], by: alice
    ).map {
      var person = try $0.get()
      person.permission = .readWrite
      return person
    }
    let share = RecordSave(
      id: RecordIdentifier(name: "share", zone: zone), type: Record.shareType,
      share: ShareSave(root: StressWorker.rootName, participants: people))
    let response = try cloud.service.modifyRecords(
      ModifyRecordsRequest(scope: .private, saves: [root, share]), by: alice)
    let url = try response.saves[1].get().shareDetails?.url ?? ""
    for account in ["bob", "carol"] { _ = try cloud.service.acceptShare(url: url, by: cloud.caller(account)) }
  }

  package var service: CloudService { cloud.service }

  package var zoneFolder: String {
    "\(cloud.path)/containers/\(TemporaryCloud.container)/development/private/alice/zones/\(StressWorker.zoneName)"
  }

  package var recordsFolder: String { zoneFolder + "/records" }

  /// A locked file that workers wait before.
  func barrier() throws -> File {
    let file = try Directory.open(path: cloud.path, in: FileSystem()).createFile(".barrier")
    guard try file.tryLock(.exclusive) else { throw ServiceError(.internalError, "the barrier is taken") }
    return file
  }

  package func worker(
    _ executable: String, account: String, _ mode: StressWorker.Mode, _ number: Int, _ count: Int
  ) throws -> ChildProcess {
    try ChildProcess(
      executable,
      ["worker", cloud.path, account, owner, mode.rawValue, "\(number)", "\(count)", cloud.path + "/.barrier"])
  }

  func announceEnd(of writers: Int) throws {
    let zone = ZoneIdentifier(name: StressWorker.zoneName)
    let ends = (0..<writers).map { writer in
      RecordSave(
        id: RecordIdentifier(name: ExactName("end-\(writer)"), zone: zone), type: "End",
        parent: .set(StressWorker.rootName, zone: nil))
    }
    _ = try service.modifyRecords(ModifyRecordsRequest(scope: .private, saves: ends), by: cloud.caller("alice"))
  }
}

/// Reads every record file over and over without a lock, and notes what does not parse.
final class FileLoop: Sendable {
  private let state = Condition((stopping: false, done: false, read: 0, problems: [String]()))

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
