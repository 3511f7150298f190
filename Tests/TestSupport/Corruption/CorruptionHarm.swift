import FaultInjection
import Foundation
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// A harm done to one file of a cloud.
struct CorruptionHarm {
  let file: CorruptionFile
  let mutation: CorruptionMutation
  /// The mutated contents; nil if the file is replaced by another thing.
  let bytes: [UInt8]?
  /// Whether the mutated contents differ from the original ones.
  let isChanged: Bool

  init(_ stage: CorruptionStage, _ random: inout SeededGenerator) {
    let kinds = Set(stage.files.map(\.kind)).sorted { $0.rawValue < $1.rawValue }
    let kind = kinds.randomElement(using: &random) ?? .record
    let candidates = stage.files.filter { $0.kind == kind }
    file = candidates.randomElement(using: &random) ?? stage.files[0]
    mutation = .choose(for: kind, &random)
    if CorruptionMutation.things.contains(mutation) {
      (bytes, isChanged) = (nil, true)
      return
    }
    let old = file.bytes(in: stage.image)
    let other = candidates.randomElement(using: &random)?.bytes(in: stage.image) ?? []
    var mutator = ByteMutator(random: SeededGenerator(seed: random.next()))
    let new: [UInt8]
    if mutation == .signed {
      new = Self.signed(old, mutator)
    } else if CorruptionMutation.byJSON.contains(mutation) {
      var editor = JSONMutator(random: mutator.random, words: stage.words)
      new = editor.mutate(old, mutation, lines: kind.isLines) ?? []
    } else {
      new = mutator.mutate(old, mutation, sibling: other)
    }
    (bytes, isChanged) = (new, new != old)
  }

  /// Changes one frame of a journal, with a valid checksum, so that the reader accepts it.
  private static func signed(_ journal: [UInt8], _ mutator: ByteMutator) -> [UInt8] {
    var mutator = mutator
    var result = Array(journal.prefix(JournalHeader.size))
    // Invalidates the header in half of the cases, so that every frame is applied again.
    if result.count > 24, Bool.random(using: &mutator.random) { result[24] ^= 0xFF }
    var frames: [JournalFrame] = []
    while let frame = JournalFrame(in: journal, at: frames.last?.end ?? JournalHeader.size) { frames.append(frame) }
    let chosen = frames.indices.randomElement(using: &mutator.random)
    for (index, frame) in frames.enumerated() {
      var payload = Array(journal[frame.payload])
      if index == chosen {
        let mutations: [CorruptionMutation] = [.flip, .truncate, .deleteRange, .duplicateRange, .swapRanges, .empty]
        payload = mutator.mutate(payload, mutations.randomElement(using: &mutator.random) ?? .flip, sibling: payload)
      }
      result += JournalFrame.bytes(payload, sequence: frame.sequence, generation: frame.generation)
    }
    return result
  }

  /// The size of a sparse file in bytes.
  private static let sparseSize: UInt64 = 1 << 40

  func apply(to root: String) throws {
    let path = root + "/" + file.text
    let folder = try file.folder(in: root)
    if let bytes { return try folder.writeStaged(file.name, bytes) }
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
  func isPresent(in root: String) throws -> Bool {
    if mutation == .denied { return true }
    guard let folder = try folder(in: root) else { return false }
    let kind = try folder.kind(of: file.name)
    switch mutation {
    case .remove: return kind == nil
    case .folder: return kind == .directory
    case .link, .pipe: return kind == .other
    default: break
    }
    guard kind == .file else { return false }
    return mutation == .sparse
      ? try folder.size(of: file.name) == Int(Self.sparseSize) : try folder.contents(file.name) == bytes
  }

  /// The file's bytes in the cloud at `root`; nil if there is no such file, a sparse or a denied one.
  func contents(in root: String) throws -> [UInt8]? {
    guard mutation != .sparse, mutation != .denied, let folder = try folder(in: root) else { return nil }
    return try folder.kind(of: file.name) == .file ? folder.contents(file.name) : nil
  }

  /// The file's folder; nil if it is missing.
  private func folder(in root: String) throws -> Directory? {
    do { return try file.folder(in: root) } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// Restores the original file, as a person with a backup would.
  func undo(_ stage: CorruptionStage, in root: String) throws {
    try? FileManager.default.removeItem(atPath: root + "/" + file.text)
    try file.folder(in: root).writeStaged(file.name, file.bytes(in: stage.image))
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
