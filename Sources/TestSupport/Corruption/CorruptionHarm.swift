import CloudStore
import FaultInjection
import Foundation
import Platform

/// One file of a cloud, harmed.
struct CorruptionHarm {
  let file: CorruptionFile
  let mutation: CorruptionMutation
  /// For mutations of contents; nil for other things in the file's place.
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

  /// How large a file with nothing in it says to be.
  private static let sparseSize: UInt64 = 1 << 40

  func apply(to root: String) throws {
    let path = root + "/" + file.text
    let folder = try file.folder(in: root)
    if let bytes { return try folder.writeStaged(file.name, bytes) }
    // Of a denied file only the calls know: see ``fileSystem(_:in:)``.
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

  /// The disk as a case sees it: a file that may not be opened fails each call that would, for root, too.
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

  /// Whether the harm is still there: nobody mended it, or put the file in place again.
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

  /// Where contents begin to differ, for people.
  func difference(_ stage: CorruptionStage) -> String? {
    let old = file.bytes(in: stage.image)
    guard let bytes else { return nil }
    let start = zip(old, bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? min(old.count, bytes.count)
    func excerpt(_ bytes: [UInt8]) -> String {
      String(decoding: bytes[min(max(0, start - 40), bytes.count)...].prefix(80), as: UTF8.self)
    }
    return "from byte \(start) on \(excerpt(bytes).debugDescription) in place of \(excerpt(old).debugDescription)"
  }

  /// Puts the file back as it was, as a person with a backup would.
  func undo(_ stage: CorruptionStage, in root: String) throws {
    let folder = try file.folder(in: root)
    if try folder.kind(of: file.name) == .directory {
      try folder.removeTree(file.name)
    } else {
      try folder.remove(file.name)
    }
    try folder.writeStaged(file.name, file.bytes(in: stage.image))
  }

  /// Nothing outside the cloud may have been touched.
  func problemOutside(_ root: String) -> String? {
    guard mutation == .link else { return nil }
    let outside = root + ".outside"
    defer { try? FileManager.default.removeItem(atPath: outside) }
    return FileManager.default.contents(atPath: outside) == Data("outside".utf8)
      ? nil : "a file outside of the cloud was changed"
  }
}

/// What a harm explains of one answer about a record. Nothing else may be otherwise than it was.
struct CorruptionAllowance {
  enum Part: Hashable {
    case type, parent, share, shareDetails, stamps, tag, other
    case field(String)
    case encrypted(String)
  }

  /// An error that names the harmed file, or one of those that the harm speaks of.
  var fails = false
  /// The answer that whoever asks for what is not there gets.
  var isGone = false
  var parts: Set<Part> = []
  /// Another content altogether: bytes with a right checksum count as committed.
  var isOther = false

  static let none = CorruptionAllowance()
}
