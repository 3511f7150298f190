import CloudStore
import Platform
import Storage

/// What waits for the programs of a device: a file a message, in the order of their numbers.
///
/// A program holds a message while it works on it, by the lock of the message's file, and removes it when it is done.
/// So one program gets it; and the next one does if that one dies before.
package struct Inbox: Sendable {
  package static let devices = "devices"
  package static let folder = "inbox"

  private let cloud: Cloud
  /// As the folder of the device is named.
  private let device: String

  package init(of device: String, in cloud: Cloud) {
    self.cloud = cloud
    self.device = FileName.encode(device)
  }

  /// Puts a message behind all that are there; its kind is added to it.
  @discardableResult
  package func deliver(_ message: JSONObject, kind: String, _ patience: LockWaitPolicy) throws -> MessageName {
    try cloud.withFolder(Self.devices, patience) { devices in
      // Above whatever lies under such a name.
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

  /// Messages that wait, the next one first. What is no message's file is passed over.
  package func names() throws -> [MessageName] {
    guard let folder = try directory() else { return [] }
    return try folder.entries().filter { $0.kind == .file }.compactMap { MessageName($0.name) }.sorted()
  }

  /// What a message says; nil if it is gone. Throws ``StorageError/damaged(path:reason:)`` for what is no message.
  package func message(_ name: MessageName) throws -> JSONObject? {
    try directory()?.contents(name.fileName).map { try Self.parse($0, name, path) }
  }

  /// Waits until nobody else has the message, and holds it; nil if it is gone then. Holds the thread, which must hold no
  /// lock, as whoever has the message may ask for any.
  package func hold(_ name: MessageName) throws -> HeldMessage? {
    guard let file = try directory()?.fileIfPresent(name.fileName) else { return nil }
    try file.waitForLock(.exclusive)
    guard let folder = try directory(), try folder.identity(of: name.fileName) == file.identity(),
      let version = try folder.version(of: name.fileName)
    else { return nil }
    let object = try Self.parse(file.readAll(), name, path)
    return HeldMessage(name: name, object: object, version: version, file: file, inbox: self)
  }

  /// News of what comes in. Makes the folder.
  package func watch(_ patience: LockWaitPolicy) throws -> DirectoryWatch {
    let folder = try cloud.withFolder(Self.devices, patience) { try $0.folder(device, Self.folder) }
    return try DirectoryWatch(folder)
  }

  func remove(_ name: MessageName, _ patience: LockWaitPolicy) throws {
    try cloud.withFolder(Self.devices, patience) { try $0.remove(device, Self.folder, name.fileName) }
  }

  package func version(of name: MessageName) throws -> FileVersion? {
    try directory()?.version(of: name.fileName)
  }

  package func path(of name: MessageName) -> String { "\(path)/\(name.fileName)" }

  private func directory() throws -> Directory? {
    try cloud.root.directory(Self.devices).directory(at: [device, Self.folder])
  }

  private var path: String { cloud.root.path(of: "\(Self.devices)/\(device)/\(Self.folder)") }

  /// A message says itself of which kind it is.
  package static func parse(_ bytes: [UInt8], _ name: MessageName, _ folder: String) throws -> JSONObject {
    guard let object = (try? JSONValue(parsing: bytes))?.object, object["kind"]?.string == name.kind else {
      throw StorageError.damaged(path: "\(folder)/\(name.fileName)", reason: "not a message of the kind \(name.kind)")
    }
    return object
  }
}

/// A message that nobody else can take while this lives.
package struct HeldMessage: Sendable {
  package let name: MessageName
  package let object: JSONObject
  /// Tells it from another message that came under the same name.
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

  /// Nobody gets it any more. Without this it waits for the next one who holds it.
  package func remove(_ patience: LockWaitPolicy) throws { try inbox.remove(name, patience) }
}
