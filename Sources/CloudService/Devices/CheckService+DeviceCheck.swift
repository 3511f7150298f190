import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Finds files in a device's folder that are none of its documents.
extension CheckService {
  struct DeviceProblem {
    var folder: Directory
    var name: String
    var problem: Problem
    /// The device, if the file is its keychain and its only fault is that others can read it.
    var exposed: String?
  }

  /// The problems in the folders of devices: their documents must be JSON, and the files in the inbox must be messages.
  /// ``TreeShape`` reports folders that can't be listed.
  func deviceProblems() throws -> [DeviceProblem] {
    let devices = try cloud.folder(Inbox.devices)
    let register = DeviceRegister(cloud)
    return try devices.names(.directory).flatMap { device in
      guard let folder = try? devices.directory.directory(device) else { return [DeviceProblem]() }
      var found = try problems(in: folder, "not what belongs there") { name in
        switch name {
        case Device.file: try register.written(device) != nil
        case NetworkCondition.file: try devices.read(device, name).map { NetworkCondition($0) != nil } ?? true
        case HeldPushes.file: try devices.read(device, name).map { HeldPushes.lines(of: $0) != nil } ?? true
        default: try !name.hasSuffix(".json") || devices.read(device, name) != nil
        }
      }
      found += try keychainProblem(of: device, in: folder)
      if let inbox = try? folder.directory(Inbox.folder) {
        found += try problems(in: inbox, "not a message") { try isMessage($0, in: inbox) }
      }
      if let operations = try? folder.directory(LongLivedOperationStore.folder) {
        found += try problems(in: operations, "not a long-lived operation") { try isOperation($0, in: operations) }
      }
      if let pushes = try? folder.directory(PushLog.folder) { found += try pushProblems(in: pushes) }
      if let sharing = try? folder.directory(SharingLog.folder) {
        found += try problems(in: sharing, "not what was shared there") { try isSharingLog($0, in: sharing) }
      }
      return found
    }
  }

  /// Finds faults of a push log and of its cursors: no cursor may be after the end of the log.
  private func pushProblems(in folder: Directory) throws -> [DeviceProblem] {
    var end: Int64 = 0
    let unread = try problem(folder.path(of: PushLog.fileName), "") {
      end = IndependentLog(pushLog: try folder.contents(PushLog.fileName) ?? []).end
      return true
    }
    // An unreadable log may be as long as the cursors say.
    if unread?.isUnread == true { end = .max }
    return try problems(in: folder, "not pushes, or how far they were taken") { name in
      guard let bytes = try folder.contents(name) else { return true }
      if name == PushLog.fileName { return Self.isPushLog(bytes) }
      guard let object = (try? JSONValue(parsing: bytes))?.object, let sequence = PushCursor.sequence(in: object),
        PushCursor.fileName(of: object) == name
      else { return false }
      return sequence <= end
    }
  }

  private static func isPushLog(_ bytes: [UInt8]) -> Bool {
    let log = IndependentLog(pushLog: bytes)
    return log.damage.isEmpty
      && log.lines.allSatisfy { line in
        guard let object = line.value.object, object["userInfo"] != nil else { return true }
        return DeliveredPush(object) != nil && object["priority"]?.integer != nil
      }
  }

  private func isSharingLog(_ name: String, in folder: Directory) throws -> Bool {
    guard name == SharingLog.fileName else { return false }
    guard let bytes = try folder.contents(name) else { return true }
    let log = IndependentLog(sharingLog: bytes)
    return log.damage.isEmpty && log.lines.allSatisfy { $0.value.object.flatMap(SharingEvent.init) != nil }
  }

  private func keychainProblem(of device: String, in folder: Directory) throws -> [DeviceProblem] {
    let (name, path) = (Keychain.file, folder.path(of: Keychain.file))
    // Other checks report entries that are no files or hold no JSON.
    guard try folder.kind(of: name) == .file, let bytes = try? folder.contents(name),
      let object = (try? JSONValue(parsing: bytes))?.object
    else { return [] }
    guard Keychain(object) != nil else {
      return [DeviceProblem(folder: folder, name: name, problem: Problem(path: path, text: "not a keychain"))]
    }
    guard let mode = try folder.permissions(of: name), mode & 0o077 != 0 else { return [] }
    let problem = Problem(path: path, text: "a keychain that others can read")
    return [DeviceProblem(folder: folder, name: name, problem: problem, exposed: device)]
  }

  private func problems(
    in folder: Directory, _ text: String, unless isSound: (String) throws -> Bool
  ) throws -> [DeviceProblem] {
    let entries = Result { () throws(SystemError) in try folder.entries() }
    if case .failure(let error) = entries, error.leavesUnread {
      return [DeviceProblem(folder: folder, name: "", problem: Problem(error))]
    }
    let names = try entries.get().filter { $0.kind == .file && !$0.name.hasPrefix(".") }.map(\.name)
    return try names.compactMap { name in
      try problem(folder.path(of: name), text) { try isSound(name) }
        .map { DeviceProblem(folder: folder, name: name, problem: $0) }
    }
  }

  /// Whether the file is a message. An unknown kind may belong to a later version and is accepted.
  private func isMessage(_ name: String, in inbox: Directory) throws -> Bool {
    guard let message = MessageName(name) else { return false }
    // A program may just have taken it.
    guard let bytes = try inbox.contents(name) else { return true }
    let object = try Inbox.parse(bytes, message, inbox.path)
    return message.kind != OpenedLink.kind || OpenedLink(object) != nil
  }

  /// Whether the file is the request or the answers of a long-lived operation. Only the app's framework can check their
  /// content.
  private func isOperation(_ name: String, in folder: Directory) throws -> Bool {
    guard let (id, isAnswers) = LongLivedOperationStore.parse(name) else { return false }
    // A program may just have removed it.
    guard let bytes = try folder.contents(name) else { return true }
    guard let object = (try? JSONValue(parsing: bytes))?.object, object["operationID"]?.string == id else {
      return false
    }
    return isAnswers ? StoredAnswers(object) != nil : StoredOperation(object) != nil
  }
}
