import CloudModel
import CloudService
import CloudStore
import Platform
import Storage

extension CorruptionCase {
  /// What is wrong and still there must be told of.
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
    // Any size is as good for what nobody reads.
    case .sparse where [.zoneLock, .rootLock, .folderLock, .upload, .boot].contains(file.kind): return false
    case .sparse where file.kind == .asset: return true
    case .remove: return CorruptionMeaning(file, stage).mustBeThere
    // Nobody opens those to check.
    case .denied: return ![.boot, .index, .upload, .tombstone, .marker].contains(file.kind)
    default: return file.kind != .boot
    }
  }

  /// An account is its owner's to mend, as are records that no longer are what they were.
  private func isForPeople(_ problem: Problem) -> Bool {
    // Of what may not be read nobody can tell more.
    if harm.mutation == .denied { return true }
    // What bears a right checksum counts as committed, whoever wrote it.
    if file.kind == .journal, [.signed, .sibling].contains(harm.mutation) { return true }
    return switch file.kind {
    case .account: true
    // Only people have the bytes.
    case .asset: problem.text.hasSuffix("is missing")
    case .key: problem.text.contains("no key leads to")
    case .record: problem.path.hasSuffix(file.text) || problem.text.contains("root")
    default: false
    }
  }

  /// What is left; nil if it failed.
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

  /// [repair-1]: what repair moved, or put another thing in the place of, is in `aside`, byte for byte.
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
    // That log is appended to, by repair, too, before it is moved; half a line at the end is cut off then ([log-3]).
    let whole = file.kind == .databaseLog ? before.lastIndex(of: 0x0A).map { before[...$0] } ?? [] : before[...]
    let mustBeKept = try !copies.isEmpty || !said.isEmpty || isLost(whole, in: root)
    if mustBeKept, !copies.contains(where: { $0 == before || file.kind == .databaseLog && $0.starts(with: whole) }) {
      problems.append("aside does not hold what was harmed: \(copies.count) copies, \(said.map(\.text))")
    }
  }

  /// Whether repair wrote the file anew, or removed it: appending loses nothing.
  private func isLost(_ before: ArraySlice<UInt8>, in root: String) throws -> Bool {
    switch file.kind {
    // It follows from the rest.
    case .index: return false
    // What they hold does not matter, and goes in everyday use.
    case .boot, .rootLock, .folderLock, .zoneLock, .upload: return false
    // A checkpoint empties it when all is in the files, and a damaged one is copied before.
    case .journal: return false
    // A new era cuts off what can't be read ([log-4]).
    case .databaseLog where otherBoot: return false
    default:
      let now = try snapshot(root)
      return now.map { $0[...] != before && !(file.kind.isLines && $0.starts(with: before)) } ?? true
    }
  }
}
