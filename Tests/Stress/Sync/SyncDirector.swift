import FaultInjection
import LocalCloudPlatform
import TestSupport

/// Coordinates the devices of a ``SyncRun``.
struct SyncDirector {
  /// The coordinator's knowledge of a share.
  struct Share {
    var members: Set<String> = []
    /// The members with permission to read only.
    var readers: Set<String> = []
    var url: String?
    var invited: Set<String> = []
  }

  static let accounts = ["anna", "ben", "cleo"]

  let devices: [SyncDevice]
  let cloud: SyncCloud
  private var random: SeededGenerator
  private var lastText = 0
  private var acts = 0
  var truth = SyncTruth()
  /// The objects that each account had at the last point of rest.
  var observations: [String: SyncObservation] = [:]
  var shares: [SyncZone: Share] = [:]
  /// The objects created since that point, by account.
  private var made: [String: [(key: String, entity: String)]] = [:]
  /// All texts that an object has ever had.
  private var texts: [String: Set<String>] = [:]
  /// These actions are not combined within one period, because iCloud's result is not known: an object that one device
  /// shares while another device links it with other objects would be in two zones.
  var hasShared = false
  var hasLinked = false
  var hasLost = false
  /// True after an edit without write permission, which has no effect as long as the permission does not change.
  private(set) var isVain = false
  var hasPermitted = false
  var report: ScenarioReport

  init(_ folder: String, root: String, executable: String, seed: UInt64) async throws {
    cloud = try await SyncCloud(root, accounts: Self.accounts)
    devices = Self.accounts.flatMap { account in
      ["phone", "pad"].map { SyncDevice(account, $0, folder: folder, root: root, executable: executable) }
    }
    random = SeededGenerator(seed: seed)
    report = ScenarioReport("seed \(seed)")
    for device in devices { try device.start(isOnline: true) }
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
    guard let device = pick(devices) else { return }
    switch number(100) {
    case 0..<22: try insert(on: device)
    case 22..<44: try set(on: device)
    case 44..<54: try link(on: device)
    case 54..<58: try move(on: device)
    case 58..<64: try delete(on: device)
    case 64..<68: try share(on: device)
    case 68..<73: try invite(on: device)
    case 73..<80: try accept(on: device)
    case 80..<82: try lose(on: device)
    case 82..<83: try permit(on: device)
    case 83..<87: try restart(device)
    default: try drain(device)
    }
  }

  mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
  mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

  private mutating func text(of key: String? = nil) -> String {
    lastText += 1
    let text = SyncSecrets.text(lastText)
    texts[key ?? text, default: []].insert(text)
    return text
  }

  private mutating func addStep(_ kind: String, _ text: String) {
    report[count: kind] += 1
    report.addStep("\(kind) \(text)")
    acts += 1
  }

  /// Sends a request to a device, or kills the device during the request; then the result is nil.
  mutating func ask(_ device: SyncDevice, _ kind: String, _ command: SyncCommand) throws -> SyncAnswer? {
    if number(12) == 0 {
      addStep("kills", "\(device.name) in \(command)")
      try device.kill(in: command, after: UInt64(number(8) == 0 ? 0 : number(30_000)))
      return nil
    }
    let answer = try device.ask(command)
    addStep(
      answer.isDone ? kind : "refusals", "\(device.name) \(command)\(answer.errors.isEmpty ? "" : " \(answer.errors)")")
    return answer
  }

  // MARK: Edits

  /// The known keys of an account's objects of an entity.
  func keys(_ entity: String?, of account: String, in zone: SyncZone? = nil) -> [String] {
    var keys: [String] = []
    for (other, objects) in observations[account] ?? [:] where zone == nil || zone == other {
      keys += objects.filter { entity == nil || $0.value.entity == entity }.keys
    }
    if zone == nil { keys += (made[account] ?? []).filter { entity == nil || $0.entity == entity }.map(\.key) }
    return keys.sorted()
  }

  /// Lets a device edit objects of a zone, or objects without a zone. A device with permission to read only may edit
  /// without a permission check, and the edit must have no effect: then the result is nil.
  private mutating func edit(
    _ device: SyncDevice, _ kind: String, _ command: SyncCommand, of zone: SyncZone?
  ) throws -> Edit? {
    guard let zone, shares[zone]?.readers.contains(device.account) == true else {
      return Edit(answer: try ask(device, kind, command))
    }
    if hasLost || hasPermitted { return nil }
    isVain = true
    _ = try ask(device, "\(kind) in vain", number(2) == 0 ? .unasked(command) : command)
    return nil
  }

  /// The outcome of an edit; unknown without an answer.
  private struct Edit {
    var answer: SyncAnswer?

    var mayBeDone: Bool { answer?.isDone != false }
    var isCertain: Bool { answer != nil }
  }

  /// The zone of an object for an account.
  private func zone(of key: String?, for account: String) -> SyncZone? {
    key.flatMap { key in observations[account]?.first { $0.value[key] != nil }?.key }
  }

  private mutating func insert(on device: SyncDevice) throws {
    let entity = pick(["Post", "Post", "Attachment", "Cover", "Tag"]) ?? "Post"
    let anchor = entity == "Post" ? nil : pick(keys("Post", of: device.account))
    let key = text()
    let value = text(of: key)
    let command = SyncCommand.insert(key: key, entity: entity, anchor: anchor, text: value)
    guard let edit = try edit(device, "insertions", command, of: zone(of: anchor, for: device.account)), edit.mayBeDone
    else { return }
    truth.inserted(key, value, by: device.name, isCertain: edit.isCertain)
    made[device.account, default: []].append((key, entity))
  }

  private mutating func set(on device: SyncDevice) throws {
    guard let key = pick(keys(nil, of: device.account)) else { return }
    let name = pick(SyncSchema.texts) ?? "text"
    let value = text(of: key)
    let command = SyncCommand.set(key: key, name: name, text: value)
    guard let edit = try edit(device, "edits", command, of: zone(of: key, for: device.account)), edit.mayBeDone else {
      return
    }
    truth.set(key, name, value, by: device.name, isCertain: edit.isCertain)
  }

  private mutating func link(on device: SyncDevice) throws {
    guard !hasShared, let zone = pick((observations[device.account] ?? [:]).keys.sorted()),
      let post = pick(keys("Post", of: device.account, in: zone)),
      let tag = pick(keys("Tag", of: device.account, in: zone))
    else { return }
    hasLinked = true
    _ = try edit(device, "links", .link(post: post, tag: tag, isLinked: number(3) != 0), of: zone)
  }

  private mutating func move(on device: SyncDevice) throws {
    guard !hasShared, let zone = pick((observations[device.account] ?? [:]).keys.sorted()),
      let attachment = pick(keys("Attachment", of: device.account, in: zone))
    else { return }
    hasLinked = true
    let post = number(4) == 0 ? nil : pick(keys("Post", of: device.account, in: zone))
    _ = try edit(device, "moves", .move(attachment: attachment, post: post), of: zone)
  }

  private mutating func delete(on device: SyncDevice) throws {
    guard let key = pick(keys(nil, of: device.account)),
      let edit = try edit(device, "deletions", .delete(key: key), of: zone(of: key, for: device.account))
    else { return }
    guard let answer = edit.answer else {
      // The objects that are deleted by cascade are not known.
      return truth.deleted(keys(nil, of: device.account), by: device.name, isCertain: false)
    }
    if answer.isDone { truth.deleted(answer.deleted, by: device.name, isCertain: true) }
  }

  // MARK: Devices

  private mutating func restart(_ device: SyncDevice) throws {
    let isOnline = !device.isOnline || number(3) == 0
    addStep(isOnline ? "restarts" : "times without the cloud", device.name)
    try device.start(isOnline: isOnline)
  }

  private mutating func drain(_ device: SyncDevice) throws { _ = try ask(device, "syncs", .drain) }

  // MARK: Rest

  /// Waits until all devices have exported and imported everything, and compares their data.
  mutating func compareWhenQuiet() async throws {
    for device in devices where !device.isOnline { try device.start(isOnline: true) }
    var observations: [SyncObservation] = []
    for round in 1...6 {
      for device in devices { _ = try device.ask(.drain) }
      let now = try devices.map { try $0.ask(.look) }
      let isSame = now.map(observation) == observations
      observations = now.map(observation)
      if isSame, now.allSatisfy({ $0.errors.isEmpty && $0.unsent.isEmpty }) { break }
      if round == 6 {
        for (device, answer) in zip(devices, now) where !answer.errors.isEmpty || !answer.unsent.isEmpty {
          problem("\(device.name) comes to no end: \(answer.errors), unsent \(answer.unsent)")
        }
        if !isSame { problem("the devices come to no end") }
      }
    }
    try await compare(Array(zip(devices, observations)))
  }

  private mutating func problem(_ text: String) { report.problems.append("step \(report.steps): \(text)") }

  private func observation(_ answer: SyncAnswer) -> SyncObservation {
    var observation: SyncObservation = [:]
    for part in answer.observations {
      let owner = cloud.accounts[part.zone.owner] ?? part.zone.owner
      observation[SyncZone(owner: owner, name: part.zone.name)] = part.objects
    }
    return observation
  }

  private mutating func compare(_ seen: [(device: SyncDevice, observation: SyncObservation)]) async throws {
    var all: SyncObservation = [:]
    var now: [String: SyncObservation] = [:]
    var members: [SyncZone: SyncMembers?] = [:]
    for account in Self.accounts {
      for zone in try await cloud.zones(of: account) {
        let content = try await cloud.content(of: zone)
        members[zone] = content.members
        all[zone] = content.objects
        for member in (content.members?.all ?? []).union([account]) {
          now[member, default: [:]][zone] = content.objects
        }
      }
    }
    for (device, observation) in seen {
      let expected = now[device.account] ?? [:]
      for zone in Set(observation.keys).union(expected.keys).sorted()
      where observation[zone] ?? [:] != expected[zone] ?? [:] {
        problem(
          "\(device.name) in \(zone):\(SyncDifference.text(observation[zone] ?? [:], cloud: expected[zone] ?? [:]))")
      }
    }
    for text in truth.problems(all) { problem(text) }
    for (device, _) in seen { findSecrets(device, now[device.account] ?? [:]) }
    begin(all, now, members)
  }

  /// Checks that no file of a device contains objects that its account has lost access to.
  private mutating func findSecrets(_ device: SyncDevice, _ now: SyncObservation) {
    let before = observations[device.account] ?? [:]
    let visible = Set(now.values.flatMap(\.keys))
    let gone = before.filter { now[$0.key] == nil }.values.flatMap(\.keys).filter { !visible.contains($0) }
    if gone.isEmpty { return }
    let found = SyncSecrets.texts(in: device.folder)
    for key in visible.sorted() where found[key] == nil { problem("\(device.name): \(key) is in no file") }
    for key in gone.sorted() {
      for text in (texts[key] ?? []).union([key]).sorted() {
        if let file = found[text] { problem("\(device.name): \(text) of \(key), which is gone, is in \(file)") }
      }
    }
  }

  private mutating func begin(
    _ all: SyncObservation, _ now: [String: SyncObservation], _ members: [SyncZone: SyncMembers?]
  ) {
    truth = SyncTruth(all)
    observations = now
    (made, hasShared, hasLinked, hasLost, hasPermitted, isVain) = ([:], false, false, false, false, false)
    report.addStep("all is quiet")
    let known = shares
    shares = [:]
    for case (let zone, let members?) in members where zone.isOfShare {
      shares[zone] = Share(
        members: members.all, readers: members.readers, url: known[zone]?.url, invited: known[zone]?.invited ?? [])
    }
    for (key, _) in texts where all.values.allSatisfy({ $0[key] == nil }) { texts[key] = nil }
  }
}

/// The differences between the observations of a zone on a device and in the cloud.
enum SyncDifference {
  static func text(_ device: [String: SyncObject], cloud: [String: SyncObject]) -> String {
    var lines: [String] = []
    for key in Set(device.keys).union(cloud.keys).sorted() where device[key] != cloud[key] {
      lines.append("\n      \(key): device \(text(device[key])); cloud \(text(cloud[key]))")
    }
    return lines.joined()
  }

  private static func text(_ object: SyncObject?) -> String {
    guard let object else { return "nothing" }
    let values = object.values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let links = object.links.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value.joined(separator: ","))" }
    return ([object.entity] + values + links).joined(separator: " ")
  }
}
