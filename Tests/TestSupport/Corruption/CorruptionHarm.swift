import FaultInjection
import Foundation
import LocalCloudPlatform
import LocalCloudStore

/// A harm done to one file of a cloud.
struct CorruptionHarm {
  let file: CorruptionFile
  let mutation: CorruptionMutation
  /// The mutated contents; nil if the file is replaced by another thing.
  let bytes: [UInt8]?

  init(_ stage: CorruptionStage, _ random: inout SeededGenerator) {
    let kinds = Set(stage.files.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
    let kind = kinds.randomElement(using: &random) ?? .record
    let candidates = stage.files.filter { $0.kind == kind }
    file = candidates.randomElement(using: &random) ?? stage.files[0]
    mutation = .choose(for: kind, &random)
    if CorruptionMutation.things.contains(mutation) {
      bytes = nil
      return
    }
    let old = file.bytes(in: stage.image)
    let other = candidates.randomElement(using: &random)?.bytes(in: stage.image) ?? []
    let spoiler = ByteMutator(random: SeededGenerator(seed: random.next()))
    if mutation == .signed {
      var journal = JournalMutator(bytes: spoiler)
      bytes = journal.mutate(old, sibling: other)
    } else if CorruptionMutation.byJSON.contains(mutation) {
      var editor = JSONMutator(random: spoiler.random, words: stage.words)
      bytes = editor.mutate(old, mutation, lines: kind.isLines) ?? []
    } else {
      var spoiler = spoiler
      bytes = spoiler.mutate(old, mutation, sibling: other)
    }
  }

  /// The size of a sparse file in bytes.
  private static let sparseSize: UInt64 = 1 << 40

  func apply(to root: String) throws {
    let path = root + "/" + file.text
    let folder = try file.folder(in: root)
    if let bytes { return try folder.writeStaged(file.name, bytes) }
    // A denied file stays unchanged; ``fileSystem(_:in:)`` makes the calls fail.
    if mutation == .denied { return }
    try folder.remove(file.name)
    switch mutation {
    case .folder:
      try folder.makeDirectory(file.name)
      try folder.directory(file.name).writeStaged("inside", [1])
    case .link:
      let outside = root + ".outside"
      _ = FileManager.default.createFile(atPath: outside, contents: Data("outside".utf8))
      try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: outside)
    case .pipe:
      guard mkfifo(path, 0o666) == 0 else { throw SystemError.last("mkfifo", path) }
    case .sparse:
      try folder.createFile(file.name).truncate(to: Int(Self.sparseSize))
    default: break
    }
  }

  /// The file system of a case. Calls that open or create a denied file fail, also for root.
  func fileSystem(_ boot: String, in root: String) -> FileSystem {
    guard mutation == .denied else { return FileSystem(bootIdentifier: boot) }
    let denied = root + "/" + file.text
    return FileSystem(bootIdentifier: boot, observing: .allCalls) { call in
      switch call {
      case .openFile(denied), .createFile(denied): .fail(SystemError.accessDenied)
      default: .proceed
      }
    }
  }

  /// Whether the harm is still there, that is, the file was neither mended nor replaced.
  func isThere(in root: String) throws -> Bool {
    if mutation == .denied { return true }
    let folder: Directory
    do { folder = try file.folder(in: root) } catch  where error.isMissing { return false }
    let kind = try folder.kind(of: file.name)
    switch mutation {
    case .remove: return kind == nil
    case .folder: return kind == .directory
    case .link, .pipe: return kind == .other
    default: break
    }
    guard kind == .file else { return false }
    if mutation == .sparse {
      let size = try folder.size(of: file.name)
      return size == Int(Self.sparseSize)
    }
    let found = try folder.contents(file.name)
    return found == bytes
  }

  /// Describes where the contents begin to differ.
  func difference(_ stage: CorruptionStage) -> String? {
    let old = file.bytes(in: stage.image)
    guard let bytes else { return nil }
    let start = zip(old, bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, bytes.count)
    func excerpt(_ bytes: [UInt8]) -> String {
      String(decoding: bytes[min(max(0, start - 40), bytes.count)...].prefix(80), as: UTF8.self)
    }
    return "from byte \(start) on \(excerpt(bytes).debugDescription) in place of \(excerpt(old).debugDescription)"
  }

  /// Restores the original file, as a person with a backup would.
  func undo(_ stage: CorruptionStage, in root: String) throws {
    let folder = try file.folder(in: root)
    if try folder.kind(of: file.name) == .directory {
      try folder.removeTree(file.name)
    } else {
      try folder.remove(file.name)
    }
    try folder.writeStaged(file.name, file.bytes(in: stage.image))
  }

  /// A problem if a file outside of the cloud was changed.
  func problemOutside(_ root: String) -> String? {
    guard mutation == .link else { return nil }
    let outside = root + ".outside"
    defer { try? FileManager.default.removeItem(atPath: outside) }
    return FileManager.default.contents(atPath: outside) == Data("outside".utf8)
      ? nil : "a file outside of the cloud was changed"
  }
}

/// The differences that a harm explains in one answer about a record. No other difference is allowed.
struct CorruptionAllowance {
  enum Part: Hashable {
    case type, parent, share, shareDetails, stamps, tag, other
    case field(String)
    case encrypted(String)
  }

  /// The request may fail with an error that names the harmed file, or a file that its journal frames refer to.
  var fails = false
  /// The request may be answered as for a record that does not exist.
  var isGone = false
  var parts: Set<Part> = []
  /// The record may have any other content: a frame with a valid checksum counts as committed.
  var isOther = false

  static let none = CorruptionAllowance()
}
