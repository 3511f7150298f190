import CloudStore
import Platform

/// What lies in a device's folder and is none of its documents.
extension CloudService {
  struct DeviceProblem {
    var folder: Directory
    var name: String
    var problem: Problem
  }

  /// What a device remembers is JSON, and what waits for it are messages. ``TreeShape`` tells of what can't be listed.
  func deviceProblems() throws -> [DeviceProblem] {
    let devices = try cloud.folder(Inbox.devices)
    return try devices.names(.directory).flatMap { device in
      guard let folder = try? devices.directory.directory(device) else { return [DeviceProblem]() }
      var found = try problems(in: folder, "not a JSON object") { name in
        try !name.hasSuffix(".json") || devices.read(device, name) != nil
      }
      if let inbox = try? folder.directory(Inbox.folder) {
        found += try problems(in: inbox, "not a message") { try isMessage($0, in: inbox) }
      }
      return found
    }
  }

  private func problems(
    in folder: Directory, _ text: String, unless isSound: (String) throws -> Bool
  ) throws -> [DeviceProblem] {
    try folder.entries().filter { $0.kind == .file && !$0.name.hasPrefix(".") }.compactMap { entry in
      try problem(folder.path(of: entry.name), text) { try isSound(entry.name) }
        .map { DeviceProblem(folder: folder, name: entry.name, problem: $0) }
    }
  }

  /// A kind that this version does not know is a later one's.
  private func isMessage(_ name: String, in inbox: Directory) throws -> Bool {
    guard let message = MessageName(name) else { return false }
    // It may just have been taken.
    guard let bytes = try inbox.contents(name) else { return true }
    let object = try Inbox.parse(bytes, message, inbox.path)
    return message.kind != OpenedLink.kind || OpenedLink(object) != nil
  }
}
