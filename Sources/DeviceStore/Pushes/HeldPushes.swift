import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The pushes of a device that fault rules hold back ([fault-8], [fault-9]): a document of the device. It exists while
/// pushes are held back. It is written with the lock of the devices.
package struct HeldPushes: Sendable {
  package static let file = "held-pushes.json"

  /// The log of the device's pushes.
  private let log: PushLog
  private var devices: Directory { log.devices }
  private var device: String { log.device }

  package init(_ log: PushLog) { self.log = log }

  /// The lines of the pushes, the first one that was held back first.
  ///
  /// - Throws: ``StorageError/damaged(path:reason:)``.
  package func lines() throws -> [JSONObject] {
    guard let object = try DocumentFolder(devices).read(device, Self.file) else { return [] }
    guard let lines = Self.lines(of: object) else {
      throw StorageError.damaged(path: devices.path(of: "\(device)/\(Self.file)"), reason: "not a list of held pushes")
    }
    return lines
  }

  /// Nil if `object` is not a valid document.
  package static func lines(of object: JSONObject) -> [JSONObject]? {
    object.items(of: "pushes") { value in
      PushFault(value[PushFault.key]) == nil ? nil : value.object
    }
  }

  // MARK: In a commit

  /// Delivers the lines of a commit's pushes, as their faults say. Call it with the root's lock.
  func deliver(_ lines: [JSONObject], isReplay: Bool, _ waitPolicy: LockWaitPolicy) throws {
    guard try lines.contains(where: { $0[PushFault.key] != nil }) || exists() else {
      try log.append(lines, isReplay: isReplay, waitPolicy)
      return
    }
    for line in lines { try deliver(line, isReplay: isReplay, waitPolicy) }
  }

  private func exists() throws -> Bool { try devices.directory(at: [device])?.exists(Self.file) ?? false }

  private func deliver(_ line: JSONObject, isReplay: Bool, _ waitPolicy: LockWaitPolicy) throws {
    switch PushFault(line[PushFault.key])?.effect {
    case .lost: return
    case .late, .reordered:
      // A document that can't be read holds no more pushes back.
      do { if try hold(line, isReplay: isReplay, waitPolicy) { return } } catch StorageError.damaged {}
    case .doubled, nil: break
    }
    guard try log.append([line], isReplay: isReplay, waitPolicy) else { return }
    // A document that can't be read must not keep other pushes from the device.
    do {
      _ = try release(waitPolicy) { Self.isReordered($0, before: line) }
    } catch StorageError.damaged {}
  }

  /// Stores the push, and then a stub in the log. With the stub, a replay does not hold the push back again. A program
  /// that waits for pushes is woken by the stub, and finds the push.
  ///
  /// - Returns: false if the push is to be delivered now, because it follows another reordered one.
  private func hold(_ line: JSONObject, isReplay: Bool, _ waitPolicy: LockWaitPolicy) throws -> Bool {
    try Cloud.withLock(of: devices, waitPolicy) { folder in
      let held = try lines()
      if !held.contains(where: { $0[PushMark.key] == line[PushMark.key] }) {
        if PushFault(line[PushFault.key])?.effect == .reordered,
          held.contains(where: { Self.isReordered($0, before: line) })
        {
          return false
        }
        if isReplay, let mark = PushMark(line[PushMark.key]), try log.has(mark) { return true }
        try write(held + [line], in: folder)
      }
      var stub: JSONObject = [:]
      stub[PushMark.key] = line[PushMark.key]
      try log.append([stub], isReplay: isReplay, waitPolicy)
      return true
    }
  }

  /// Whether `held` is a reordered push that arrives after `line`.
  private static func isReordered(_ held: JSONObject, before line: JSONObject) -> Bool {
    PushFault(held[PushFault.key])?.effect == .reordered
      && ["containerIdentifier", "environment", "userRecordName"].allSatisfy { held[$0] == line[$0] }
  }

  private func write(_ lines: [JSONObject], in folder: DocumentFolder) throws {
    if lines.isEmpty { return try folder.remove(device, Self.file) }
    try folder.write(["pushes": .array(lines.map { .object($0) })], device, Self.file)
  }

  // MARK: Later

  /// Delivers the late pushes that are due. Call it with the root's lock.
  ///
  /// - Parameter now: milliseconds since 1970.
  /// - Returns: the time of the next late push; nil if there is none.
  package func releaseDue(at now: Int64, _ waitPolicy: LockWaitPolicy) throws -> Int64? {
    func time(_ line: JSONObject) -> Int64? { PushFault(line[PushFault.key])?.until }
    guard let first = try lines().compactMap(time).min() else { return nil }
    if first > now { return first }
    _ = try release(waitPolicy) { line in time(line).map { $0 <= now } ?? false }
    return try lines().compactMap(time).min()
  }

  /// Delivers held pushes, after all others. Call it with the root's lock.
  ///
  /// If the process dies in the middle, the pushes are delivered again.
  ///
  /// - Returns: the number of the pushes.
  package func release(_ waitPolicy: LockWaitPolicy, where isDue: (JSONObject) -> Bool) throws -> Int {
    guard try lines().contains(where: isDue) else { return 0 }
    return try Cloud.withLock(of: devices, waitPolicy) { folder in
      let held = try lines()
      let due = held.filter(isDue).map { line in
        // The stub in the log has the mark of the commit.
        var line = line
        line[PushMark.key] = nil
        return line
      }
      if due.isEmpty { return 0 }
      try log.append(due, waitPolicy)
      try log.sync()
      try write(held.filter { !isDue($0) }, in: folder)
      return due.count
    }
  }

  /// Removes held pushes without delivering them.
  ///
  /// - Parameter folder: the folder of the devices, with its lock; nil: only counts them.
  /// - Returns: the number of the pushes.
  package func forget(in folder: DocumentFolder?, where isMeant: (JSONObject) -> Bool) throws -> Int {
    let held = try lines()
    let rest = held.filter { !isMeant($0) }
    if let folder, rest.count < held.count { try write(rest, in: folder) }
    return held.count - rest.count
  }
}
