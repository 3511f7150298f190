import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The operations of a device that outlive their process: the request of each and, once it is finished, its answers.
///
/// A process that works on an operation holds the lock of its file, from before other processes can see the file until
/// the work is finished. So one process at a time works on it, and another one may continue if that one dies. The
/// request's file is added last and removed first: without it the operation does not exist, even if other files of it
/// remain.
package struct LongLivedOperationStore: Sendable {
  package static let folder = "operations"
  /// Readable and writable only by the files' owner.
  package static let mode: UInt32 = 0o600
  private static let suffix = ".json"
  private static let answersSuffix = "-answers.json"

  private let cloud: Cloud
  /// The name of the device's folder.
  private let device: String

  package init(of device: String, in cloud: Cloud) {
    self.cloud = cloud
    self.device = FileName.encode(device)
  }

  // MARK: Names

  /// Whether a text is an ID: 16 upper-case hexadecimal digits.
  package static func isID(_ text: String) -> Bool {
    text.utf8.count == 16
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) }
  }

  /// The ID of the file's operation, and whether the file holds the answers; nil for any other name.
  package static func parse(_ fileName: String) -> (id: String, isAnswers: Bool)? {
    let isAnswers = fileName.hasSuffix(answersSuffix)
    guard fileName.hasSuffix(suffix) else { return nil }
    let id = String(fileName.dropLast((isAnswers ? answersSuffix : suffix).count))
    return isID(id) ? (id, isAnswers) : nil
  }

  /// The name of a file before its final name.
  private static func stagedName(_ fileName: String) -> String { ".\(fileName).new" }

  private static func isStagedName(_ fileName: String) -> Bool {
    fileName.hasPrefix(".") && fileName.hasSuffix(".new") && parse(String(fileName.dropFirst().dropLast(4))) != nil
  }

  /// The path of an operation's first file in the cloud.
  package func path(of id: String) -> String {
    [Inbox.devices, device, Self.folder, id + Self.suffix].joined(separator: "/")
  }

  // MARK: Reading

  /// The IDs, always in the same, arbitrary order. Other files are ignored.
  package func ids() throws -> [String] {
    try directory()?.entries().filter { $0.kind == .file }.compactMap { Self.parse($0.name) }
      .filter { !$0.isAnswers }.map(\.id).sorted() ?? []
  }

  /// An operation's request; nil if there is no such operation.
  package func request(_ id: String) throws -> JSONObject? { try object(id, id + Self.suffix) }

  /// An operation's answers; nil if it is not finished.
  package func answers(_ id: String) throws -> JSONObject? { try object(id, id + Self.answersSuffix) }

  /// Reads one of an operation's files. The file must hold the operation's ID.
  private func object(_ id: String, _ name: String) throws -> JSONObject? {
    guard Self.isID(id), let folder = try directory(), let object = try folder.object(at: [name]) else { return nil }
    guard object["operationID"]?.string == id else {
      throw StorageError.damaged(path: folder.path(of: name), reason: "it says that it is another operation's")
    }
    return object
  }

  // MARK: Writing

  /// Adds an operation. The caller holds it from the first moment on. It is durable when this returns.
  ///
  /// `check` runs with the lock of the devices, before any write: while the lock is held, no account signs in or out.
  package func store(
    _ request: JSONObject, as id: String, _ waitPolicy: LockWaitPolicy, unless check: () throws -> Void = {}
  ) throws -> HeldOperation {
    var request = request
    request["operationID"] = .string(id)
    let bytes = JSONValue.object(request).pretty()
    return try cloud.withFolder(Inbox.devices, waitPolicy) { devices in
      try check()
      let directory = try devices.folder(device, Self.folder)
      let name = id + Self.suffix
      let staged = Self.stagedName(name)
      try directory.writeStaged(staged, bytes, mode: Self.mode)
      let file = try directory.file(staged, .readWrite)
      try file.waitForLock(.exclusive)
      let lock = HeldLock(file)
      try file.sync()
      try directory.rename(staged, to: directory, as: name)
      try directory.sync(name) { try directory.remove(name) }
      // The operation is stored now; an error during the cleanup is not its failure.
      try? Self.removeLeftovers(in: directory)
      return HeldOperation(id: id, lock: lock)
    }
  }

  /// Waits until no other process works on the operation, and holds it; nil if it was removed by then.
  package func hold(_ id: String, _ waitPolicy: LockWaitPolicy) throws -> HeldOperation? {
    guard Self.isID(id), let folder = try directory() else { return nil }
    do {
      return HeldOperation(id: id, lock: try FairLock(folder, id + Self.suffix).acquire(.exclusive, waitPolicy))
    } catch let error as SystemError where error.isMissing {
      return nil
    }
  }

  /// Saves an operation's answers; they are durable when this returns. Does nothing if the operation was removed since
  /// then. `check`: as in ``store(_:as:_:unless:)``.
  package func finish(
    _ operation: HeldOperation, _ answers: JSONObject, _ waitPolicy: LockWaitPolicy,
    unless check: () throws -> Void = {}
  ) throws {
    var answers = answers
    answers["operationID"] = .string(operation.id)
    try cloud.withFolder(Inbox.devices, waitPolicy) { devices in
      guard try directory()?.exists(operation.id + Self.suffix) == true else { return }
      try check()
      try devices.write(answers, device, Self.folder, operation.id + Self.answersSuffix, mode: Self.mode)
    }
  }

  package func remove(_ id: String, _ waitPolicy: LockWaitPolicy) throws {
    guard Self.isID(id) else { return }
    try cloud.withFolder(Inbox.devices, waitPolicy) { try remove(id, in: $0) }
  }

  /// Removes an operation. Call it with the lock of the devices held.
  package func remove(_ id: String, in devices: DocumentFolder) throws {
    try devices.remove(device, Self.folder, id + Self.suffix)
    // The operation is removed now; remaining answers are ignored.
    try? devices.remove(device, Self.folder, id + Self.answersSuffix)
  }

  // MARK: Removing many

  /// Removes operations of a device, and leftovers of killed processes. Call it with the lock of the devices held.
  ///
  /// - Parameters:
  ///   - device: the name of the device's folder.
  ///   - isMeant: selects an operation by its two files; nil stands for one that is missing or can't be read.
  package static func removeAll(
    of device: String, in devices: DocumentFolder,
    where isMeant: (_ request: JSONObject?, _ answers: JSONObject?) -> Bool = { _, _ in true }
  ) throws {
    guard let directory = try devices.directory.directory(at: [device, folder]) else { return }
    func document(_ name: String) -> JSONObject? { (try? directory.object(at: [name])) ?? nil }
    for name in try fileNames(in: directory) {
      guard let (id, isAnswers) = parse(name), !isAnswers else { continue }
      // Without the request the answers are leftovers.
      if isMeant(document(name), document(id + answersSuffix)) { try directory.remove(name) }
    }
    try removeLeftovers(in: directory)
    try directory.sync()
  }

  /// Removes leftovers of killed processes: answers without an operation, and files that never got their names. No
  /// process writes these files while the lock of the devices is held.
  private static func removeLeftovers(in directory: Directory) throws {
    let names = try fileNames(in: directory)
    let requests = Set(names)
    for name in names {
      let isLeft = parse(name).map { $0.isAnswers && !requests.contains($0.id + suffix) } ?? isStagedName(name)
      if isLeft { try directory.remove(name) }
    }
  }

  private static func fileNames(in directory: Directory) throws -> [String] {
    try directory.entries().filter { $0.kind == .file }.map(\.name)
  }

  private func directory() throws -> Directory? {
    try cloud.root.directory(Inbox.devices).directory(at: [device, Self.folder])
  }
}

/// An operation that no other process can work on while this exists.
package struct HeldOperation: Sendable {
  package let id: String
  private let lock: HeldLock

  init(id: String, lock: HeldLock) {
    self.id = id
    self.lock = lock
  }

  package func release() { lock.release() }
}
