import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import TestSupport

/// Coordinates the devices of an ``EngineRun``.
struct EngineDirector {
  static let accounts = ["anna", "ben"]
  /// The number of items in a zone from which on no more are added. Few items make many conflicts.
  private static let mostItems = 8
  /// The number of rounds after which devices must be at rest.
  private static let mostRounds = 10

  /// The data of a device for one of its accounts.
  private struct Observation: Equatable {
    var device: String
    var account: String
    var items: EngineItems
    var unfinished: [String]
  }

  private let devices: [EngineDevice]
  private let cloud: EngineCloud
  private let isCalm: Bool
  private var random: SeededGenerator
  private var truth = EngineTruth()
  private var lastNumber = 0
  private var acts = 0
  var report: ScenarioReport

  init(
    _ folder: String, _ temporary: TemporaryCloud, _ cloud: EngineCloud, executable: String, seed: UInt64, isCalm: Bool
  ) throws {
    (self.cloud, self.isCalm) = (cloud, isCalm)
    let kinds = [("anna", "phone", true), ("anna", "mac", false), ("ben", "phone", false), ("ben", "mac", true)]
    devices = try kinds.map { owner, kind, isAutomatic in
      try EngineDevice(
        of: owner, kind, isAutomatic: isAutomatic, folder: folder, temporary, users: cloud.users,
        executable: executable)
    }
    random = SeededGenerator(seed: seed)
    report = ScenarioReport("seed \(seed)")
  }

  func end() { for device in devices { device.end() } }

  // MARK: Steps

  mutating func step() throws {
    report.steps += 1
    let count = acts
    // An action that is not possible now does nothing, and another one is tried.
    for _ in 0..<20 where acts == count { try act() }
  }

  private mutating func act() throws {
    guard let device = devices.randomElement(using: &random) else { return }
    switch number(100) {
    case 0..<14: try edit(.add, on: device)
    case 14..<44: try edit(.change, on: device)
    case 44..<51: try edit(.delete, on: device)
    case 51..<66: _ = try ask(device, "sends", .send(isShared: number(2) == 0))
    case 66..<81: _ = try ask(device, "fetches", .fetch(isShared: number(2) == 0))
    case 81..<94: try changeNetwork(of: device)
    case 94..<98: try changeAccount(of: device)
    default:
      addStep("kills", device.name)
      try device.restart()
    }
  }

  private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

  private mutating func addStep(_ kind: String, _ text: String) {
    report[count: kind] += 1
    report.addStep("\(kind) \(text)")
    acts += 1
  }

  /// Sends a request to a device, or kills the device during the request; then the result is nil.
  private mutating func ask(_ device: EngineDevice, _ kind: String, _ command: EngineCommand) throws -> EngineAnswer? {
    switch number(60) {
    case 0:
      addStep("kills", "\(device.name) in \(command)")
      try device.kill(in: command, after: UInt64(number(8) == 0 ? 0 : number(20_000)))
      return nil
    case 1:
      let write = number(6)
      addStep("kills at a write", "\(device.name) in \(command), \(write)")
      try device.die(in: command, write: write, isBefore: number(2) == 0)
      return nil
    default:
      let answer = try device.ask(command)
      let errors = answer.errors.isEmpty ? "" : " \(answer.errors)"
      addStep(answer.isDone ? kind : "refusals", "\(device.name) \(command)\(errors)")
      return answer
    }
  }

  private mutating func edit(_ kind: EngineEdit.Kind, on device: EngineDevice) throws {
    guard let account = device.account, let zone = EngineZone.zones(of: account).randomElement(using: &random) else {
      return
    }
    let names = truth.names(in: zone)
    if kind == .add, names.count >= Self.mostItems { return }
    lastNumber += 1
    guard let item = kind == .add ? "item-\(lastNumber)" : names.randomElement(using: &random) else { return }
    let edit = EngineEdit(kind: kind, item: item, zone: zone, account: account, number: lastNumber)
    let answer = try ask(device, "\(kind) edits", .edit(edit))
    if answer?.isDone != false { truth.add(edit, isCertain: answer != nil) }
  }

  private mutating func changeNetwork(of device: EngineDevice) throws {
    let seconds = number(2) == 0 ? 0.05 : 30
    let times = 1 + number(3)
    let condition: NetworkCondition? =
      switch number(10) {
      case 0, 1: try NetworkCondition(.offline)
      case 2: try NetworkCondition(.unreachable)
      case 3: try NetworkCondition(.throttled, retryAfter: seconds, times: times)
      case 4: try NetworkCondition(.unavailable, retryAfter: seconds, times: times)
      case 5: try NetworkCondition(.busy, retryAfter: seconds, times: times)
      case 6, 7: try NetworkCondition(.replyLost, times: times)
      default: nil
      }
    addStep("network changes", "\(device.name) \(condition?.kind.rawValue ?? "online")")
    try device.setNetwork(condition)
  }

  private mutating func changeAccount(of device: EngineDevice) throws {
    let other = Self.accounts.first { $0 != device.owner }
    let account = number(2) == 0 ? device.owner : number(3) == 0 ? nil : other
    if account == device.account { return }
    addStep("account changes", "\(device.name) \(account ?? "none")")
    if isCalm { _ = try device.ask(.pause) }
    try device.signIn(account)
    if isCalm { _ = try device.ask(.resume(forgets: false)) }
  }

  // MARK: Rest

  /// Brings all devices to rest, with each account that they had, and compares their data.
  mutating func compareAtRest() async throws {
    for device in devices { try device.setNetwork(nil) }
    var last: [Observation] = []
    for round in 1...Self.mostRounds {
      let observations = try observe()
      let isAtRest = observations == last && observations.allSatisfy(\.unfinished.isEmpty)
      last = observations
      if isAtRest { break }
      if round == Self.mostRounds {
        problem("the devices come to no end: \(observations.filter { !$0.unfinished.isEmpty })")
      }
    }
    try await compare(last)
    report.addStep("all is quiet")
    for device in devices {
      _ = try device.ask(.resume(forgets: true))
      device.forgetAccounts()
    }
  }

  /// Lets all devices send and fetch everything, the account of the device's user last.
  private func observe() throws -> [Observation] {
    var observations: [Observation] = []
    for device in devices {
      for account in device.accounts.subtracting([device.owner]).sorted() + [device.owner] {
        try device.signIn(account)
        let answer = try device.ask(.rest)
        var unfinished = answer.unfinished + answer.errors
        if Set(answer.items.keys) != Set(EngineZone.zones(of: account)) {
          unfinished.append("the app is not signed in as \(account)")
        }
        observations.append(
          Observation(device: device.name, account: account, items: answer.items, unfinished: unfinished))
      }
    }
    return observations
  }

  private mutating func problem(_ text: String) { report.problems.append("step \(report.steps): \(text)") }

  private mutating func compare(_ observations: [Observation]) async throws {
    var all: EngineItems = [:]
    for account in Self.accounts {
      let (items, problems) = try await cloud.items(of: account)
      for text in problems { problem(text) }
      for (zone, items) in items {
        if let other = all[zone], other != items { problem("two accounts see \(zone) differently in the cloud") }
        all[zone] = items
      }
      for observation in observations where observation.account == account {
        for zone in items.keys.sorted() where observation.items[zone] ?? [:] != items[zone] ?? [:] {
          problem(
            "\(observation.device) as \(account) in \(zone):"
              + Self.difference(observation.items[zone] ?? [:], cloud: items[zone] ?? [:]))
        }
      }
    }
    for text in truth.problems(all) { problem(text) }
    truth = EngineTruth(all)
  }

  private static func difference(_ device: [String: Set<Int>], cloud: [String: Set<Int>]) -> String {
    var lines: [String] = []
    for name in Set(device.keys).union(cloud.keys).sorted() where device[name] != cloud[name] {
      func text(_ edits: Set<Int>?) -> String { edits.map { "\($0.sorted())" } ?? "nothing" }
      lines.append("\n      \(name): device \(text(device[name])); cloud \(text(cloud[name]))")
    }
    return lines.joined()
  }
}
