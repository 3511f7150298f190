import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// The messages that wait for the programs of a device: one file per message, in the order of their numbers.
///
/// A program holds a message while it works on it, by the lock of the message's file, and removes it when it is done.
/// So one program gets each message; if it dies before, the next one gets it.
package struct Inbox: Sendable {
  package static let devices = "devices"
  package static let folder = "inbox"

  private let cloud: Cloud
  /// The name of the device's folder.
  private let device: String

  package init(of device: String, in cloud: Cloud) {
    self.cloud = cloud
    self.device = FileName.encode(device)
  }

  /// Adds a message after all that wait; adds its kind to it.
  @discardableResult
  package func deliver(_ message: JSONObject, kind: String, _ waitPolicy: LockWaitPolicy) throws -> MessageName {
    try cloud.withFolder(Self.devices, waitPolicy) { devices in
      // Above the number of any entry with a name of this form.
      let last = try directory()?.entries().compactMap { MessageName($0.name)?.number }.max() ?? 0
      guard last < MessageName.numbers.upperBound else {
        throw StorageError.damaged(path: path, reason: "no number is left for another message")
      }
      let name = MessageName(number: last + 1, kind: kind)
      var message = message
      message["kind"] = .string(kind)
      try devices.write(message, device, Self.folder, name.fileName)
      return name
    }
  }

  /// The messages that wait, the next one first. Other files are ignored.
  package func names() throws -> [MessageName] {
    guard let folder = try directory() else { return [] }
    return try folder.entries().filter { $0.kind == .file }.compactMap { MessageName($0.name) }.sorted()
  }

  /// A message's contents; nil if it was removed. Throws ``StorageError/damaged(path:reason:)`` if the file is no
  /// message.
  package func message(_ name: MessageName) throws -> JSONObject? {
    try directory()?.contents(name.fileName).map { try Self.parse($0, name, path) }
  }

  /// Waits until no other program has the message, and holds it; nil if it was removed by then. Blocks the thread. The
  /// thread must hold no lock, because the message's holder may acquire any.
  package func hold(_ name: MessageName) throws -> HeldMessage? {
    guard let file = try directory()?.fileIfPresent(name.fileName) else { return nil }
    try file.waitForLock(.exclusive)
    guard let folder = try directory(), try folder.identity(of: name.fileName) == file.identity(),
      let version = try folder.version(of: name.fileName)
    else { return nil }
    let object = try Self.parse(file.readAll(), name, path)
    return HeldMessage(name: name, object: object, version: version, file: file, inbox: self)
  }

  /// Watches for incoming messages. Makes the folder. The watch ends when a restore moves the folder of all devices
  /// away.
  package func watch(_ waitPolicy: LockWaitPolicy) throws -> DirectoryWatch {
    let folder = try cloud.withFolder(Self.devices, waitPolicy) { try $0.folder(device, Self.folder) }
    return try DirectoryWatch(WatchedFolders([folder], entriesOf: [cloud.root.directory(Self.devices)]))
  }

  func remove(_ name: MessageName, _ waitPolicy: LockWaitPolicy) throws {
    try cloud.withFolder(Self.devices, waitPolicy) { try $0.remove(device, Self.folder, name.fileName) }
  }

  package func version(of name: MessageName) throws -> FileVersion? {
    try directory()?.version(of: name.fileName)
  }

  package func path(of name: MessageName) -> String { "\(path)/\(name.fileName)" }

  private func directory() throws -> Directory? {
    try cloud.root.directory(Self.devices).directory(at: [device, Self.folder])
  }

  private var path: String { cloud.root.path(of: "\(Self.devices)/\(device)/\(Self.folder)") }

  /// Parses a message. Its contents must have the same kind as its name.
  package static func parse(_ bytes: [UInt8], _ name: MessageName, _ folder: String) throws -> JSONObject {
    guard let object = (try? JSONValue(parsing: bytes))?.object, object["kind"]?.string == name.kind else {
      throw StorageError.damaged(path: "\(folder)/\(name.fileName)", reason: "not a message of the kind \(name.kind)")
    }
    return object
  }
}

/// A message that no other program can take while this exists.
package struct HeldMessage: Sendable {
  package let name: MessageName
  package let object: JSONObject
  /// Distinguishes the message from another one that gets the same name.
  package let version: FileVersion
  private let file: File
  private let inbox: Inbox

  init(name: MessageName, object: JSONObject, version: FileVersion, file: File, inbox: Inbox) {
    self.name = name
    self.object = object
    self.version = version
    self.file = file
    self.inbox = inbox
  }

  /// Removes the message, so that no program gets it any more. Without this it waits for the next program.
  package func remove(_ waitPolicy: LockWaitPolicy) throws { try inbox.remove(name, waitPolicy) }
}
