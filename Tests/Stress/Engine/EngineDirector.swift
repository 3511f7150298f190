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

  /// The end of a zone, or of the access to one.
  private enum Ending: CaseIterable {
    case deletion, purge, familyDeletion, endOfShare, departure
  }

  private let devices: [EngineDevice]
  private let service: EngineService
  private let cloud: EngineCloud
  private let isCalm: Bool
  private let keepsZones: Bool
  private var random: SeededGenerator
  private var truth = EngineTruth()
  private var lastNumber = 0
  private var acts = 0
  /// Whether a zone has ended since the last point of rest.
  private var hasEnding = false
  /// Whether an account has lost the zone of both accounts since the last point of rest.
  private var isFamilyLost = false
  var report: ScenarioReport

  init(
    _ folder: String, _ service: EngineService, _ cloud: EngineCloud, executable: String, seed: UInt64, isCalm: Bool,
    keepsZones: Bool
  ) throws {
    (self.service, self.cloud, self.isCalm, self.keepsZones) = (service, cloud, isCalm, keepsZones)
    let kinds = [("anna", "phone", true), ("anna", "mac", false), ("ben", "phone", false), ("ben", "mac", true)]
    devices = try kinds.map { owner, kind, isAutomatic in
      try EngineDevice(
        of: owner, kind, isAutomatic: isAutomatic, folder: folder, service, users: cloud.users, executable: executable)
    }
    random = SeededGenerator(seed: seed)
    report = ScenarioReport("seed \(seed)")
  }

  func end() { for device in devices { device.end() } }

  // MARK: Steps

  mutating func step() async throws {
    report.steps += 1
    let count = acts
    // An action that is not possible now does nothing, and another one is tried.
    for _ in 0..<20 where acts == count { try await act() }
  }

  private mutating func act() async throws {
    guard let device = devices.randomElement(using: &random) else { return }
    switch number(100) {
    case 0..<14: try edit(.add, on: device)
    case 14..<42: try edit(.change, on: device)
    case 42..<49: try edit(.delete, on: device)
    case 49..<63: try send(on: device)
    case 63..<77: _ = try ask(device, "fetches", .fetch(isShared: number(2) == 0))
    case 77..<89: try changeNetwork(of: device)
    case 89..<94: try changeAccount(of: device)
    case 94..<97: _ = try ask(device, "new engines", .renew(isShared: number(2) == 0))
    case 97: try await endZone(of: device.owner)
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
    let answer = try ask(device, "\(kind) edits", .edit(edit, isUntracked: number(4) == 0))
    if answer?.isDone != false { truth.add(edit, isCertain: answer != nil) }
  }

  private mutating func send(on device: EngineDevice) throws {
    let isShared = number(2) == 0
    let zone = isShared || number(2) == 0 ? EngineZone.family.name : EngineZone.ownName
    _ = try ask(device, "sends", .send(isShared: isShared, zone: number(3) == 0 ? zone : nil))
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
    try device.setNetwork(condition, isLong: condition?.kind.hasRetryAfter == true && seconds > 1)
  }

  private mutating func changeAccount(of device: EngineDevice) throws {
    let other = Self.accounts.first { $0 != device.owner }
    if !isCalm, number(3) == 0, let account = device.account {
      // The engines may notice both changes, or none.
      addStep("short account changes", device.name)
      try device.signIn(number(2) == 0 ? other : nil)
      try device.signIn(account)
      return
    }
    let account = number(2) == 0 ? device.owner : number(3) == 0 ? nil : other
    if account == device.account { return }
    addStep("account changes", "\(device.name) \(account ?? "none")")
    if isCalm { _ = try device.ask(.pause) }
    try device.signIn(account)
    if isCalm { _ = try device.ask(.resume(forgets: false)) }
  }

  /// Ends a zone of an account, or the access to the zone of both accounts. The apps react as Apple documents.
  private mutating func endZone(of account: String) async throws {
    guard !keepsZones, !hasEnding, let ending = Ending.allCases.randomElement(using: &random) else { return }
    hasEnding = true
    addStep("endings", "\(ending) \(account)")
    let (own, family) = (EngineZone(owner: account, name: EngineZone.ownName), EngineZone.family)
    if ending == .deletion || ending == .purge { truth.end(own) }
    if ending != .deletion, ending != .purge || account == family.owner {
      truth.end(family)
      isFamilyLost = true
    }
    switch ending {
    case .deletion: try await cloud.delete(own, as: account)
    case .purge: _ = try service.current.zones.purgeData(of: account, container: TemporaryCloud.container)
    case .familyDeletion: try await cloud.delete(family, as: family.owner)
    case .endOfShare: try await cloud.endFamilyShare()
    case .departure:
      for other in Self.accounts where other != family.owner { try await cloud.delete(family, as: other) }
    }
  }

  // MARK: Rest

  /// Brings all devices to rest, and compares their data. Then the cloud may be restored to a snapshot.
  mutating func compareAtRest() async throws {
    for device in devices { try device.setNetwork(nil) }
    try await awaitAutomaticDevices()
    try await compareAll()
    if isFamilyLost { try await cloud.restoreFamilyZone() }
    (hasEnding, isFamilyLost) = (false, false)
    if !keepsZones, report.problems.isEmpty, number(4) == 0 { try await restore() }
  }

  /// Restores the cloud to its present items. Devices have change tokens that the restored cloud does not know.
  private mutating func restore() async throws {
    _ = try service.current.snapshots.save("rest", replacing: true)
    try await awaitAutomaticDevices()
    addStep("restores", "to the point of rest")
    try service.restore("rest")
    try await awaitAutomaticDevices()
    try await compareAll()
  }

  /// Lets the automatic devices send all changes, and fetch a marker, by themselves. Devices that may pause are left
  /// out.
  private mutating func awaitAutomaticDevices() async throws {
    for device in devices where device.isAutomatic && !device.mayPause {
      guard let account = device.account else { continue }
      let unsent = try device.ask(.awaitSent(account: account)).unfinished
      if !unsent.isEmpty { problem("\(device.name) as \(account) does not send by itself: \(unsent)") }
      lastNumber += 1
      let zones = try await cloud.saveMarkers(lastNumber, as: account)
      let missing = try device.ask(.awaitMarkers(lastNumber, zones: zones)).unfinished
      if !missing.isEmpty { problem("\(device.name) as \(account) does not fetch by itself: \(missing)") }
    }
  }

  /// Brings all devices to rest, with each account that they had, and compares their data.
  private mutating func compareAll() async throws {
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
      device.beginPeriod()
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
        for zone in EngineZone.zones(of: account) where observation.items[zone] ?? [:] != items[zone] ?? [:] {
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
