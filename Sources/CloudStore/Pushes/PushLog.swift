import Platform

/// The pushes that came to a device, one line each, in the order in which they came.
///
/// A commit's lines are appended after its commit point and are not synced: until the zone's next checkpoint its journal
/// brings them back. Each line says which push of which commit it is, so a replay appends what is missing and nothing
/// twice. Taking a push moves a cursor and leaves the log alone, so nothing is forgotten by it; compaction keeps the last
/// mark of each zone's history.
package struct PushLog: Sendable {
  package static let folder = "pushes"
  package static let fileName = "pushes.jsonl"

  private let devices: Directory
  /// As the folder of the device is named.
  private let device: String
  private let limits: StoreLimits

  init(of device: String, in devices: Directory, limits: StoreLimits) {
    self.init(file: FileName.encode(device), in: devices, limits: limits)
  }

  /// By the device's folder.
  init(file device: String, in devices: Directory, limits: StoreLimits) {
    self.devices = devices
    self.device = device
    self.limits = limits
  }

  package init(of device: String, in cloud: Cloud) throws {
    self.init(of: device, in: try cloud.root.directory(Inbox.devices), limits: cloud.limits)
  }

  /// By the device's folder.
  package init(file device: String, in cloud: Cloud) throws {
    self.init(file: device, in: try cloud.root.directory(Inbox.devices), limits: cloud.limits)
  }

  /// Nil where the device never had a push.
  package func directory() throws -> Directory? { try devices.directory(at: [device, Self.folder]) }

  /// The folder, there to stay.
  func makeDirectory() throws -> Directory {
    try directory() ?? DocumentFolder(devices).folder(device, Self.folder)
  }

  /// The folder, with its name durable whoever made it.
  func makeDurableDirectory() throws -> Directory {
    let place = try makeDirectory()
    try devices.directory(device).sync()
    try devices.sync()
    return place
  }

  // MARK: Writing

  /// Appends lines. `isReplay`: some, or all, may have been appended before.
  func append(_ lines: [JSONObject], isReplay: Bool = false, _ patience: LockPatience) throws {
    let place = try makeDirectory()
    let held = try locked(place, patience)
    let log = LogFile(held.file)
    do {
      defer { held.release() }
      try append(lines, isReplay: isReplay, to: log, in: place)
    }
    try place.announceChange()
    try? compactIfDue(log, in: place, patience)
  }

  private func append(_ lines: [JSONObject], isReplay: Bool, to log: LogFile, in place: Directory) throws {
    let tail = try log.tail()
    // Half a line is what a killed process left of one that its journal brings back.
    if !tail.isWhole { try log.file.truncate(to: tail.end) }
    var sequence = try tail.last?.sequence ?? max(log.header().horizon, PushCursor.last(in: place))
    var known: [String: PushMark] = [:]
    if isReplay { known = try marks(in: log) }
    var badges: [String: Int64]?
    var bytes: [UInt8] = []
    for var line in lines {
      if let mark = PushMark(line["commit"]), let last = known[mark.history], !mark.follows(last) { continue }
      sequence += 1
      line["sequence"] = .integer(sequence)
      if line["badge"] != nil { try count(&line, &badges, log) }
      bytes += JSONValue.object(line).compact() + [0x0A]
    }
    if !bytes.isEmpty { try log.file.write(bytes, at: tail.end) }
  }

  /// An app's badge counts the pushes that asked for it.
  private func count(_ line: inout JSONObject, _ badges: inout [String: Int64]?, _ log: LogFile) throws {
    var counts = try badges ?? self.badges(in: log)
    let container = line["containerIdentifier"]?.string ?? ""
    let badge = min(counts[container] ?? 0, 1 << 50) + 1
    counts[container] = badge
    badges = counts
    line["badge"] = .integer(badge)
    var userInfo = line["userInfo"]?.object ?? [:]
    var aps = userInfo["aps"]?.object ?? [:]
    aps["badge"] = .integer(badge)
    userInfo["aps"] = .object(aps)
    line["userInfo"] = .object(userInfo)
  }

  private func locked(_ place: Directory, _ patience: LockPatience) throws -> HeldLock {
    let lock = FairLock(place, Self.fileName)
    do { return try lock.acquire(.exclusive, access: .readWrite, patience) } catch let error as SystemError
      where error.isMissing
    {
      _ = try place.createFile(Self.fileName)
      return try lock.acquire(.exclusive, access: .readWrite, patience)
    }
  }

  /// The last push of each zone's history that the device has.
  private func marks(in log: LogFile) throws -> [String: PushMark] {
    var result: [String: PushMark] = [:]
    try log.forEach(after: .min) { line in
      if let mark = PushMark(line.value["commit"]) { result[mark.history] = mark }
      return true
    }
    return result
  }

  private func badges(in log: LogFile) throws -> [String: Int64] {
    var result: [String: Int64] = [:]
    try log.forEach(after: .min) { line in
      if let badge = line.value["badge"]?.integer, let container = line.value["containerIdentifier"]?.string {
        result[container] = badge
      }
      return true
    }
    return result
  }

  /// Makes durable what is there.
  package func sync() throws {
    guard let place = try directory() else { return }
    try place.fileIfPresent(Self.fileName, .readWrite)?.sync()
    try place.sync()
  }

  /// Puts a push in once more, durably: whoever takes pushes gets it again.
  package func repeatPush(_ push: JSONObject, _ patience: LockPatience) throws {
    var line = push
    // No commit's: it is a push of its own, with the badge that it had.
    line["commit"] = nil
    line["badge"] = nil
    try append([line], patience)
    try sync()
  }

  // MARK: Reading

  /// Pushes after a sequence, in order, until `body` answers false.
  package func forEach(after sequence: Int64, _ body: (JSONObject) throws -> Bool) throws {
    guard let place = try directory(), let log = try LogFile.open(Self.fileName, in: place) else { return }
    try log.forEach(after: sequence) { line in
      guard let object = line.value.object, object["userInfo"] != nil else { return true }
      return try body(object)
    }
  }

  /// The last line's sequence.
  package func end() throws -> Int64 {
    guard let place = try directory(), let log = try LogFile.open(Self.fileName, in: place) else { return 0 }
    return try log.last()?.sequence ?? log.header().horizon
  }

  // MARK: After a boot, and in repair

  /// Cuts off what a power cut left of lines that were not synced. Journals bring them back.
  func recover() throws {
    guard let place = try directory(), let file = try place.fileIfPresent(Self.fileName, .readWrite) else { return }
    let bytes = try file.readAll()
    var end = 0
    var last: Int64 = -1
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      guard end + line.count < bytes.count, let value = try? JSONValue(parsing: Array(line)) else { break }
      if end > 0 || LogHeader(value) == nil {
        guard let sequence = value["sequence"]?.integer, sequence > last else { break }
        last = sequence
      }
      end += line.count + 1
    }
    if end < bytes.count { try file.truncate(to: end) }
  }

  /// Goes on above a sequence: what was counted before must not be counted anew.
  package func goOn(above sequence: Int64, _ patience: LockPatience) throws {
    let place = try makeDirectory()
    let held = try locked(place, patience)
    defer { held.release() }
    let tail = try LogFile(held.file).tail()
    guard (tail.last?.sequence ?? 0) < sequence else { return }
    try held.file.truncate(to: tail.end)
    try held.file.write(JSONValue.object(["sequence": .integer(sequence)]).compact() + [0x0A], at: tail.end)
  }

  // MARK: Compaction

  /// Of the pushes before the last so many, what still matters is which they were.
  private func compactIfDue(_ log: LogFile, in place: Directory, _ patience: LockPatience) throws {
    guard let last = try log.last()?.sequence, last >= 2 * limits.retainedChanges else { return }
    let header = try log.header()
    guard header.isDue(worthless: last - header.horizon, retaining: limits.retainedChanges) else { return }
    let horizon = last - limits.retainedChanges
    try LeafLogCompaction(place, log.file, name: Self.fileName) { try Self.compacted($0, horizon) }.run(patience)
  }

  private static func compacted(_ log: LogFile, _ horizon: Int64) throws -> [UInt8] {
    // The last line of each zone's history, and the last badge of each container.
    var last: [String: Int64] = [:]
    try log.forEach(after: .min) { line in
      guard line.sequence <= horizon else { return false }
      if let mark = PushMark(line.value["commit"]) { last["commit " + mark.history] = line.sequence }
      if line.value["badge"] != nil, let container = line.value["containerIdentifier"]?.string {
        last["badge " + container] = line.sequence
      }
      return true
    }
    let kept = Set(last.values)
    var bytes = LogHeader(horizon: horizon, kept: Int64(kept.count)).bytes
    try log.forEach(after: .min) { line in
      if line.sequence > horizon {
        bytes += line.bytes + [0x0A]
      } else if kept.contains(line.sequence) {
        var stub: JSONObject = ["sequence": .integer(line.sequence)]
        for key in ["badge", "commit", "containerIdentifier"] { stub[key] = line.value[key] }
        bytes += JSONValue.object(stub).compact() + [0x0A]
      }
      return true
    }
    return bytes
  }
}
