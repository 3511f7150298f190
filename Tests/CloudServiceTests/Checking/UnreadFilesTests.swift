import LocalCloudPlatform
import LocalCloudService
import LocalCloudStore
import TestSupport
import Testing

/// Each call that would open one file or folder fails with one error, as for a user without read permission, or for a
/// process without free descriptors.
@Suite("Unreadable files: check reports them as unread, not as damage, and repair changes no file", .serialized)
struct UnreadFilesTests {
  private static let cloud = Result { try TemporaryCloud.full() }

  /// All files except indexes and journals, because any process may change those.
  private static func files(_ path: String) throws -> [String: [UInt8]] {
    var result: [String: [UInt8]] = [:]
    func walk(_ folder: Directory, _ prefix: String) throws {
      for entry in try folder.entries() where ![".index", ".journal"].contains(entry.name) {
        if entry.kind == .directory {
          try walk(folder.directory(entry.name), prefix + entry.name + "/")
        } else {
          result[prefix + entry.name] = try folder.contents(entry.name)
        }
      }
    }
    try walk(Directory.open(path: path, in: FileSystem()), "")
    return result
  }

  private func expectLeft(_ path: String, _ call: FileSystemCall, _ code: Int32, in cloud: TemporaryCloud) throws {
    let fileSystem = FileSystem(observing: .allCalls) { $0 == call ? .fail(code) : .proceed }
    let service: CloudService
    do {
      service = try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
    } catch {
      // Without cloud.json the cloud can't be opened.
      #expect(error.cause == .storage, "\(path): \(error)")
      return
    }
    let before = try Self.files(cloud.path)
    let found = try service.checks.check()
    #expect(found.allSatisfy { $0.isUnread }, "\(path): \(found.filter { !$0.isUnread })")
    let report = try service.repairs.repair()
    #expect(report.done == [], "\(path)")
    #expect(report.left.allSatisfy { $0.isUnread }, "\(path): \(report.left.filter { !$0.isUnread })")
    let after = try Self.files(cloud.path)
    #expect(after == before, "\(path): \(Set(after.keys).symmetricDifference(before.keys))")
  }

  @Test(
    "each file of a cloud that contains every kind of file",
    arguments: [SystemError.accessDenied, SystemError.tooManyFiles, SystemError.inputOutput])
  func files(code: Int32) throws {
    let cloud = try Self.cloud.get()
    for (index, name) in try Self.files(cloud.path).keys.sorted().enumerated()
    where code == SystemError.accessDenied || index % 4 == 0 {
      try expectLeft(name, .openFile("\(cloud.path)/\(name)"), code, in: cloud)
    }
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("each folder of a cloud that contains every kind of file")
  func eachFolderOfACloudThatContains() throws {
    let cloud = try Self.cloud.get()
    var folders: Set<String> = []
    for name in try Self.files(cloud.path).keys {
      let parts = name.split(separator: "/")
      for count in 1..<max(1, parts.count) { folders.insert(parts[..<count].joined(separator: "/")) }
    }
    for name in folders.sorted() {
      try expectLeft(name, .openDirectory("\(cloud.path)/\(name)"), SystemError.accessDenied, in: cloud)
    }
    #expect(try cloud.service.checks.check() == [])
  }

  @Test("another person's unreadable keychain stays; a damaged keychain beside it is set aside")
  func anotherPersonsUnreadableKeychainStays() throws {
    let cloud = try TemporaryCloud.full()
    let denied = "\(cloud.path)/devices/bob-device/keychain.json"
    let devices = try Directory.open(path: "\(cloud.path)/devices", in: FileSystem())
    try devices.directory("alice-device").writeStaged("keychain.json", Array("{".utf8), mode: 0o600)
    let fileSystem = FileSystem(observing: .allCalls) { call in
      call == .openFile(denied) ? .fail(SystemError.accessDenied) : .proceed
    }
    let service = try CloudService.open(root: cloud.path, settings: cloud.service.settings, fileSystem: fileSystem)
    let report = try service.repairs.repair()
    #expect(report.done.map(\.path) == ["\(cloud.path)/devices/alice-device/keychain.json"])
    #expect(report.left.map(\.path) == [denied])
    #expect(report.left.allSatisfy { $0.isUnread })
    #expect(try devices.directory("bob-device").exists("keychain.json"))
    #expect(
      try cloud.aside().keys.map { $0.split(separator: "/").dropFirst().joined(separator: "/") } == [
        "devices/alice-device/keychain.json"
      ])
  }
}
