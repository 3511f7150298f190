import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

extension CorruptionCase {
  /// Runs `check`. Reports a problem if `check` misses a harm that is still present and that it must find. Returns the
  /// problems that `check` found; nil if it failed.
  mutating func check(_ service: CloudService, _ root: String) throws -> [Problem]? {
    let isThere = try harm.isThere(in: root)
    do {
      let found = try service.checks.check()
      if found.isEmpty, isThere, mustShow { problems.append("check finds nothing") }
      return found
    } catch {
      problems.append("check fails: \(error.message)")
      return nil
    }
  }

  private var mustShow: Bool {
    if let bytes = harm.bytes {
      if file.kind == .journal { return scope.isDamagedJournal }
      return CorruptionMeaning(file, stage).mustShow(bytes)
    }
    switch harm.mutation {
    // These files are not read, so any size is valid.
    case .sparse where [.zoneLock, .rootLock, .folderLock, .upload, .boot].contains(file.kind): return false
    case .sparse where file.kind == .asset: return true
    case .remove: return CorruptionMeaning(file, stage).mustBeThere
    // `check` does not open these files.
    case .denied: return ![.boot, .index, .upload, .tombstone, .marker].contains(file.kind)
    default: return file.kind != .boot
    }
  }

  /// Whether only a person can resolve the problem, so that repair may leave it: an account, or a record with changed
  /// contents.
  private func isForPeople(_ problem: Problem) -> Bool {
    // Nothing is known about a file that can't be opened.
    if harm.mutation == .denied { return true }
    // A frame with a valid checksum counts as committed, no matter how it was written.
    if file.kind == .journal, [.signed, .sibling].contains(harm.mutation) { return true }
    return switch file.kind {
    case .account: true
    // The bytes of an asset are stored in no other file.
    case .asset: problem.text.hasSuffix("is missing")
    case .key: problem.text.contains("no key leads to")
    case .record: problem.path.hasSuffix(file.text) || problem.text.contains("root")
    default: false
    }
  }

  /// Runs `repair`. Returns the problems that it leaves; nil if it failed.
  mutating func repair(_ service: CloudService, _ root: String) throws -> [Problem]? {
    let before = try snapshot(root)
    do {
      let report = try service.repairs.repair()
      let left = report.left.filter { !isForPeople($0) }
      if !left.isEmpty { problems.append("repair leaves \(left.prefix(3).map { "\($0.path): \($0.text)" })") }
      try compareAside(report, before, root)
      return report.left
    } catch let error as ServiceError {
      problems.append("repair fails: \(error.message)")
      return nil
    }
  }

  private func snapshot(_ root: String) throws -> [UInt8]? {
    if [.sparse, .denied].contains(harm.mutation) { return nil }
    do {
      let folder = try file.folder(in: root)
      return try folder.kind(of: file.name) == .file ? folder.contents(file.name) : nil
    } catch let error where error.isMissing { return nil }
  }

  /// [repair-1]: a file that repair moved or replaced is in `aside`, byte for byte.
  private mutating func compareAside(_ report: RepairReport, _ before: [UInt8]?, _ root: String) throws {
    let said = report.done.filter { $0.path == root + "/" + file.text && $0.text.contains("in aside/") }
    var copies: [[UInt8]] = []
    let top = try Directory.open(path: root, in: FileSystem())
    for stamp in try top.directoryIfPresent("aside")?.entries().map(\.name) ?? [] {
      var place: Directory? = top
      for name in ["aside", stamp] + file.path.dropLast() { place = try place?.directoryIfPresent(name) }
      guard let folder = place else { continue }
      for entry in try folder.entries() where entry.name == file.name || entry.name.hasPrefix(file.name + ".") {
        if harm.mutation == .folder, entry.kind == .directory {
          let inside = try folder.directory(entry.name).contents("inside")
          if inside != [1] { problems.append("a folder lost what was in it on its way aside") }
        } else if entry.kind == .file, harm.mutation != .sparse {
          copies.append(try folder.contents(entry.name) ?? [])
        }
      }
    }
    guard let before else { return }
    // Repair may append to this log before it moves it. That cuts off a torn line at the end ([log-3]).
    let whole = file.kind == .databaseLog ? before.lastIndex(of: 0x0A).map { before[...$0] } ?? [] : before[...]
    let mustBeKept = try !copies.isEmpty || !said.isEmpty || isLost(whole, in: root)
    if mustBeKept, !copies.contains(where: { $0 == before || file.kind == .databaseLog && $0.starts(with: whole) }) {
      problems.append("aside does not hold what was harmed: \(copies.count) copies, \(said.map(\.text))")
    }
  }

  /// Whether repair removed or rewrote the file's bytes. Appending to a log loses nothing.
  private func isLost(_ before: ArraySlice<UInt8>, in root: String) throws -> Bool {
    switch file.kind {
    // The index can be rebuilt from the other files.
    case .index: return false
    // The contents of these files do not matter, and ordinary use overwrites them.
    case .boot, .rootLock, .folderLock, .zoneLock, .upload: return false
    // A checkpoint empties the journal when all frames are applied. A damaged journal is copied before.
    case .journal: return false
    // A new era removes the unreadable lines ([log-4]).
    case .databaseLog where otherBoot: return false
    default:
      let now = try snapshot(root)
      return now.map { $0[...] != before && !(file.kind.isLines && $0.starts(with: before)) } ?? true
    }
  }
}
