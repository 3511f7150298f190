import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The pushes of a device, one line each, in the order of arrival.
///
/// A commit's lines are appended after its commit point and are not synced: until the zone's next checkpoint, its
/// journal restores them. Each line identifies its push and commit, so a replay appends the missing ones and none
/// twice. Taking a push moves a cursor and does not change the log. Compaction retains the last mark of each zone's
/// history.
package struct PushLog: Sendable {
  package static let folder = "pushes"
  package static let fileName = "pushes.jsonl"

  private let log: DeviceLog
  private let schema: PushSchema

  /// `device`: the name of the device's folder.
  init(file device: String, in devices: Directory, _ schema: PushSchema, limits: StorageLimits) {
    let kind = DeviceLog.Kind(folder: Self.folder, fileName: Self.fileName)
    log = DeviceLog(kind, file: device, in: devices, limits: limits)
    self.schema = schema
  }

  package init(of device: String, in cloud: Cloud, _ schema: PushSchema) throws {
    try self.init(file: FileName.encode(device), in: cloud, schema)
  }

  /// `device`: the name of the device's folder.
  package init(file device: String, in cloud: Cloud, _ schema: PushSchema) throws {
    self.init(file: device, in: try cloud.root.directory(Inbox.devices), schema, limits: cloud.limits)
  }

  /// The folder of all devices.
  var devices: Directory { log.devices }
  /// The name of the device's folder.
  var device: String { log.device }

  /// The log's folder; nil if the device never had a push.
  package func directory() throws -> Directory? { try log.directory() }

  /// The log's folder, made durably if missing.
  func makeDirectory() throws -> Directory { try log.makeDirectory() }

  func watch() throws -> DirectoryWatch { try log.watch() }

  /// The log's folder, with its name durable even if another process made it.
  func makeDurableDirectory() throws -> Directory { try log.makeDurableDirectory() }

  // MARK: Writing

  /// Appends lines.
  ///
  /// - Parameter isReplay: some, or all, may have been appended before.
  /// - Returns: whether any was appended now.
  @discardableResult
  func append(_ lines: [JSONObject], isReplay: Bool = false, _ waitPolicy: LockWaitPolicy) throws -> Bool {
    var isChanged = false
    try log.append(above: PushCursor.last(in:), waitPolicy, compacted: compacted) { log in
      var known: [String: PushMark] = [:]
      if isReplay { known = try marks(in: log) }
      var counts: [String: Int64]?
      var missing: [JSONObject] = []
      for var line in lines {
        if let mark = PushMark(line[PushMark.key]), let last = known[mark.commit.history], !mark.follows(last) {
          continue
        }
        if line[schema.count] != nil { try count(&line, &counts, log) }
        missing.append(line)
        if PushFault(line[PushFault.key])?.effect == .doubled { missing.append(line) }
      }
      isChanged = !missing.isEmpty
      return missing
    }
    return isChanged
  }

  /// Whether the log has the push with this mark, or a later one of the same zone.
  func has(_ mark: PushMark) throws -> Bool {
    var last: PushMark?
    try forEach(after: .min) { line in
      if let other = PushMark(line[PushMark.key]), other.commit.history == mark.commit.history { last = other }
      return true
    }
    return last.map { !mark.follows($0) } ?? false
  }

  /// Numbers a push that has a count, continuing from the counts in the log.
  private func count(_ line: inout JSONObject, _ counts: inout [String: Int64]?, _ log: LogFile) throws {
    var all = try counts ?? self.counts(in: log)
    let counter = line[schema.countedBy]?.string ?? ""
    let count = min(all[counter] ?? 0, 1 << 50) + 1
    all[counter] = count
    counts = all
    line[schema.count] = .integer(count)
    schema.putCount(count, &line)
  }

  /// The last push of each zone's history that the device has.
  private func marks(in log: LogFile) throws -> [String: PushMark] {
    var result: [String: PushMark] = [:]
    try log.forEach(after: .min) { line in
      if let mark = PushMark(line.value[PushMark.key]) { result[mark.commit.history] = mark }
      return true
    }
    return result
  }

  private func counts(in log: LogFile) throws -> [String: Int64] {
    var result: [String: Int64] = [:]
    try log.forEach(after: .min) { line in
      if let count = line.value[schema.count]?.integer, let counter = line.value[schema.countedBy]?.string {
        result[counter] = count
      }
      return true
    }
    return result
  }

  /// Makes the log durable, if there is one.
  package func sync() throws { try log.sync() }

  /// Appends a push once more, durably: programs get it again.
  package func repeatPush(_ push: JSONObject, _ waitPolicy: LockWaitPolicy) throws {
    var line = push
    // The line belongs to no commit: it is a separate push, and not counted again.
    line[PushMark.key] = nil
    line[schema.count] = nil
    try append([line], waitPolicy)
    try sync()
  }

  /// Removes the contents of pushes, durably. Their lines stay as stubs: a replay of their commits finds the marks
  /// ([push-11]). Call it while no other process writes to the cloud.
  package func forget(_ waitPolicy: LockWaitPolicy, where isMeant: @escaping (JSONObject) -> Bool) throws {
    try log.replace(waitPolicy) { log in
      let header = try log.header()
      var bytes = header.horizon > 0 ? header.bytes : []
      try log.forEach(after: .min) { line in
        guard let push = line.value.object, push[schema.content] != nil, isMeant(push) else {
          bytes += line.bytes + [0x0A]
          return true
        }
        var stub: JSONObject = ["sequence": .integer(line.sequence)]
        stub[PushMark.key] = push[PushMark.key]
        bytes += JSONValue.object(stub).compact() + [0x0A]
        return true
      }
      return bytes
    }
  }

  // MARK: Reading

  /// Calls `body` with the pushes after a sequence, in order, until it returns false.
  package func forEach(after sequence: Int64, _ body: (JSONObject) throws -> Bool) throws {
    try log.forEach(after: sequence) { try $0[schema.content] == nil || body($0) }
  }

  /// The last line's sequence.
  package func end() throws -> Int64 { try log.end() }

  // MARK: After a boot, and in repair

  /// Truncates the log at the first line that is not whole after a power cut. Journals restore the others.
  func recover() throws { try log.recover() }

  /// Makes the log continue above a sequence: sequences up to it must not be used again.
  package func goOn(above sequence: Int64, _ waitPolicy: LockWaitPolicy) throws {
    try log.goOn(above: sequence, waitPolicy)
  }

  // MARK: Compaction

  /// The contents of the log, with the pushes up to a horizon reduced to the last mark of each history and the last
  /// counts.
  @Sendable private func compacted(_ log: LogFile, _ horizon: Int64) throws -> [UInt8] {
    // The last line of each zone's history, and of each count.
    var last: [String: Int64] = [:]
    try log.forEach(after: .min) { line in
      guard line.sequence <= horizon else { return false }
      if let mark = PushMark(line.value[PushMark.key]) { last["commit " + mark.commit.history] = line.sequence }
      if line.value[schema.count] != nil, let counter = line.value[schema.countedBy]?.string {
        last["count " + counter] = line.sequence
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
        for key in [schema.count, PushMark.key, schema.countedBy] { stub[key] = line.value[key] }
        bytes += JSONValue.object(stub).compact() + [0x0A]
      }
      return true
    }
    return bytes
  }
}

extension IndependentLog {
  /// A push log. A log that repair replaced continues above the cursors.
  package init(pushLog bytes: [UInt8]) { self.init(unjournalledLog: bytes, mayJump: true) }
}
