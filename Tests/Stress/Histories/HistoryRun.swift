import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import TestSupport

/// Checks the histories of clients that are killed at random: processes of three accounts save with and without change
/// tags, delete, fetch and read feeds in zones of their own and in a shared zone, delete and create a zone, and meet
/// random fault rules. Each records its requests. At the end the clients that live read all feeds to their ends. Then
/// ``HistoryChecker`` must accept all histories together, and the check of the cloud must find nothing.
///
/// The run has rounds: each process makes some requests, and one or two of them are killed meanwhile and replaced. A
/// seed gives the same choices each time; the order of the requests differs.
struct HistoryRun {
  let kills: Int
  let processes: Int
  let seed: UInt64
  let executable: String
  let plant: HistoryPlant?
  let keepsFiles: Bool
  let progress: @Sendable (ScenarioReport) -> Void

  func run() throws -> ScenarioReport {
    let stage = try HistoryStage()
    let folder = MemoryFolder.newPath("histories")
    try Directory.make(path: folder, in: FileSystem())
    defer {
      if keepsFiles {
        StandardStream.error.write("The histories are in \(folder)\n")
      } else {
        try? ScratchFolder.remove(folder)
      }
    }
    var director = try HistoryDirector(stage, folder, executable: executable, processes: processes, seed: seed)
    defer { director.end() }
    var rounds = 0
    while director.report[count: "kills"] < kills, director.report.problems.isEmpty {
      try director.round(mostKills: kills - director.report[count: "kills"])
      rounds += 1
      if rounds.isMultiple(of: 20) { progress(director.report) }
    }
    var report = try director.finish()
    var operations = try director.operations()
    progress(report)
    report.steps = operations.count
    report[count: "without an answer"] = operations.count { $0.result == nil || $0.result == .lost }
    report[count: "refused"] = operations.count { if case .refused? = $0.result { true } else { false } }
    if let plant, !plant.edit(&operations) { throw ScenarioEnd("no operation is suitable for \(plant.rawValue)") }
    report.problems += HistoryChecker.problems(in: operations).prefix(20)
    report.problems += try stage.cloud.service.checks.check().map { "check: \($0.path): \($0.text)" }
    return report
  }
}

/// The processes and fault rules of ``HistoryRun``.
struct HistoryDirector {
  private struct Client {
    var number: Int
    var process: ChildProcess
    /// The number of requests with ends that were not awaited yet.
    var waiting = 0
  }

  private static let requestsPerRound = 12

  private(set) var report: ScenarioReport
  private let stage: HistoryStage
  private let folder: String
  private let executable: String
  private let seed: UInt64
  private var random: SeededGenerator
  private var clients: [Client] = []
  private var clientCount = 0
  /// The times after the ends of killed clients.
  private var deaths: [Int: UInt64] = [:]

  init(_ stage: HistoryStage, _ folder: String, executable: String, processes: Int, seed: UInt64) throws {
    (self.stage, self.folder, self.executable, self.seed) = (stage, folder, executable, seed)
    random = SeededGenerator(seed: seed)
    report = ScenarioReport("seed \(seed)")
    for slot in 0..<processes { clients.append(try makeClient(slot)) }
  }

  private mutating func number(below limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

  // MARK: Clients

  private mutating func makeClient(_ slot: Int) throws -> Client {
    clientCount += 1
    let account = HistoryZone.accounts[slot % HistoryZone.accounts.count]
    let arguments = ["history-worker", stage.cloud.path, account, stage.alice, "\(clientCount)", "\(seed)", folder]
    return Client(number: clientCount, process: try ChildProcess(executable, arguments, hasInput: true))
  }

  private mutating func startRequests(_ slot: Int) throws {
    guard clients[slot].process.send("\(Self.requestsPerRound)") else { throw ended(slot) }
    clients[slot].waiting += Self.requestsPerRound
  }

  private func ended(_ slot: Int) -> ScenarioEnd {
    ScenarioEnd("client \(clients[slot].number) does not answer: \(clients[slot].process.errors.suffix(2000))")
  }

  /// Waits for the ends of some requests.
  private mutating func awaitEnds(_ count: Int, of slot: Int) throws {
    for _ in 0..<count {
      try awaitLine("done", of: slot)
      clients[slot].waiting -= 1
      report.steps += 1
    }
  }

  private mutating func awaitLine(_ expected: String, of slot: Int) throws {
    while true {
      guard let line = clients[slot].process.nextLine(seconds: 120) else { throw ended(slot) }
      if line == expected { return }
      report.problems.append(line)
    }
  }

  /// Kills a client during its requests of this round, and starts another one.
  private mutating func kill(_ slot: Int) throws {
    try awaitEnds(number(below: max(1, clients[slot].waiting)), of: slot)
    pause(microseconds: random.next() % 2000)
    let client = clients[slot]
    client.process.kill()
    client.process.hangUp()
    let status = client.process.wait()
    deaths[client.number] = monotonicNanoseconds()
    if status != 128 + 9 { throw ended(slot) }
    while let line = client.process.nextLine(seconds: 0) {
      if line.hasPrefix("!") { report.problems.append(line) }
    }
    report[count: "kills"] += 1
    clients[slot] = try makeClient(slot)
    try startRequests(slot)
  }

  // MARK: Rounds

  mutating func round(mostKills: Int) throws {
    try changeFaults()
    for slot in clients.indices { try startRequests(slot) }
    for _ in 0..<min(mostKills, 1 + number(below: 2)) { try kill(number(below: clients.count)) }
    for slot in clients.indices { try awaitEnds(clients[slot].waiting, of: slot) }
  }

  /// Removes some fault rules, and adds another one.
  private mutating func changeFaults() throws {
    let faults = stage.cloud.service.faults
    let removed = try faults.list().filter { rule in
      // Each rule takes one random number, so that the later choices do not depend on the rules that fired.
      let isChosen = random.next().isMultiple(of: 3)
      return isChosen || rule.isUsedUp
    }
    try remove(removed)
    var conditions = FaultRule.Conditions()
    if number(below: 2) == 0 { conditions.account = HistoryZone.accounts[number(below: HistoryZone.accounts.count)] }
    var schedule = FaultRule.Schedule()
    schedule.times = 1 + number(below: 8)
    schedule.probability = 0.2
    schedule.seed = Int64(number(below: 1000))
    let effect: FaultRule.Effect =
      switch number(below: 6) {
      case 0: .error([.zoneBusy, .requestRateLimited, .serviceUnavailable][number(below: 3)], retryAfter: 1)
      case 1: .itemError([.zoneBusy, .serviceUnavailable][number(below: 2)])
      case 2: .lostReply(.before)
      case 3, 4: .lostReply(.after)
      default: .latency(Double(1 + number(below: 5)) / 1000)
      }
    _ = try faults.add([FaultRule(effect, where: conditions, schedule)])
  }

  private mutating func remove(_ rules: [StoredFault]) throws {
    // A rule may fire between the look at its count and its removal. That fault is not counted.
    report[count: "faults"] += rules.reduce(0) { $0 + $1.fired }
    try stage.cloud.service.faults.remove(rules.map(\.id))
  }

  // MARK: The end

  /// Lets the clients read all feeds to their ends, and ends them.
  mutating func finish() throws -> ScenarioReport {
    try remove(stage.cloud.service.faults.list())
    for slot in clients.indices {
      guard clients[slot].process.send("end") else { throw ended(slot) }
    }
    for slot in clients.indices {
      try awaitLine("ended", of: slot)
      clients[slot].process.hangUp()
      if clients[slot].process.wait(seconds: 60) != 0 { throw ended(slot) }
    }
    clients = []
    return report
  }

  /// The requests of all clients.
  func operations() throws -> [HistoryOperation] {
    try (1...max(1, clientCount)).flatMap { number in
      try HistoryRecorder.operations(of: number, in: folder, death: deaths[number])
    }
  }

  /// Kills the clients that live.
  func end() {
    for client in clients {
      client.process.kill()
      client.process.hangUp()
      _ = client.process.wait()
    }
  }
}
