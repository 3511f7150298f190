import LocalCloudPlatform
import LocalCloudStorage

/// Checks that a store's files are consistent: history, segments, binaries and index must agree. It reads nothing but
/// the store's files.
struct StoreChecker {
  private let view: StoreView
  private var report = StoreReport()
  /// Whether everything could be read: only then can the index be checked.
  private var isComplete = true
  private var keys: Set<[UInt8]> = []
  private var segments: Set<[UInt8]> = []
  /// The existing objects, and references to objects, each with the file that contains it.
  private var objects: Set<RowID> = []
  private var references: [(target: RowID, source: String, path: String)] = []
  /// The first object that has each of the unique values.
  private var holders: [UniqueValues: RowID] = [:]
  /// The sizes of the binaries that rows use.
  private var binaries: [String: Int] = [:]

  private var folder: StoreFolder { view.folder }

  /// The last number that was taken; nil if the history is too damaged to give it. The history check reports that
  /// damage.
  private let head: Int64?

  init(_ view: StoreView) {
    self.view = view
    head = try? view.head()
  }

  mutating func run() throws -> StoreReport {
    try noting { try $0.checkHistory() }
    for table in StoreTable.all(folder.schema) { try noting { try $0.check(table) } }
    for (target, source, path) in references where !objects.contains(target) {
      report.notes.append(
        Problem(path: path, text: "\(source) refers to \(folder.names.text(target)), which is not there"))
    }
    try noting { try $0.checkBinaries() }
    try noting { $0.report.problems += try StoreShape($0.folder).strays().map(\.problem) }
    if isComplete, head != nil { try noting { try $0.checkIndex() } }
    report.problems = report.problems.unrepeated
    return report
  }

  private mutating func noting(_ look: (inout StoreChecker) throws -> Void) throws {
    do { try look(&self) } catch StorageError.damaged(let path, let reason) {
      add(path, reason)
    } catch let error as SystemError where !error.isStopped {
      report.problems.append(Problem(error))
      isComplete = false
    }
  }

  /// Reports damage of a file that the index is made from.
  private mutating func add(_ path: String, _ text: String) {
    report.problems.append(Problem(path: path, text: text))
    isComplete = false
  }

  private func path(_ name: String) -> String { folder.directory.path(of: name) }

  // MARK: History

  private mutating func checkHistory() throws {
    let path = path(StoreFolder.history.name)
    guard let bytes = try folder.contents(StoreFolder.history) else { return add(path, "it is missing") }
    report.problems += HistoryScan(bytes).problems.prefix(Self.mostLines).map { Problem(path: path, text: $0) }
  }

  // MARK: Tables

  private mutating func check(_ table: StoreTable) throws {
    let scan = try TableScan(table, folder, view.view)
    keys.formUnion(scan.keys)
    segments.formUnion(scan.segments.keys.map { SegmentEntry.prefix(table, $0) })
    let paths = scan.segments.keys.reduce(into: [:]) { $0[$1] = folder.segments.path(table, $1) }
    report(scan.badLines, paths)
    var rows: [(number: Int64, entry: RowEntry)] = []
    for (number, row) in scan.rows where !row.isDeletion && scan.hidden[number] == nil {
      rows.append((number, row.entry))
    }
    rows.sort { $0.number < $1.number }
    for (number, entry) in rows {
      if let head, number > head { add(paths[entry.segment] ?? "", "the number \(number) was never taken") }
      if table.kind == .objects { objects.insert(RowID(entity: Int(table.index), number: number)) }
    }
    if table.kind == .mirroring { return }
    for part in rows.chunks(of: 2_000) {
      let entries = part.map(\.entry)
      try folder.segments.forEachLine(table, entries, view.view) { index, line in
        try check(line, entries[index], table, paths[entries[index].segment] ?? "")
      }
    }
  }

  private mutating func report(_ lines: [TableScan.BadLine], _ paths: [Int64: String]) {
    for line in lines.prefix(Self.mostLines) {
      add(paths[line.segment] ?? "", "the line at byte \(line.offset) \(line.reason)")
    }
    if let line = lines.dropFirst(Self.mostLines).first {
      add(paths[line.segment] ?? "", "and \(lines.count - Self.mostLines) more lines from byte \(line.offset) on")
    }
  }

  /// The number of damaged lines of a table that are reported individually.
  private static let mostLines = 50

  private mutating func check(_ line: JSONValue, _ entry: RowEntry, _ table: StoreTable, _ path: String) throws {
    switch table.kind {
    case .objects:
      let row = try view.row(line, table, entry)
      for target in row.toOnes.compactMap(\.self) { references.append((target, folder.names.text(row.id), path)) }
      for case .external(let binary) in row.attributes { binaries[binary.digest] = binary.size }
      checkUniqueValues(of: row, path)
    case .links:
      guard let link = LinkKey(line, table: Int(table.index), folder.names) else { return }
      for end in [link.from, link.to] { references.append((end, "the link \(link.number)", path)) }
    case .mirroring: break
    }
  }

  private mutating func checkUniqueValues(of row: StoredRow, _ path: String) {
    for layout in folder.rowKeys.uniqueLayouts[Int(row.id.entity)] {
      guard let values = layout.uniqueValues(of: row) else { continue }
      guard let holder = holders[values] else {
        holders[values] = row.id
        continue
      }
      let names = layout.elements.map(\.property).joined(separator: ", ")
      report.problems.append(
        Problem(
          path: path,
          text: "\(folder.names.text(row.id)) has the same \(names) as \(folder.names.text(holder)), which is unique"))
    }
  }

  // MARK: Binaries

  private mutating func checkBinaries() throws {
    guard let directory = try folder.directory.directoryIfPresent(StoreFolder.binaries) else { return }
    let entries = try directory.entries()
    let others = Set(entries.lazy.filter { $0.kind != .file }.map(\.name))
    for name in view.view.names(entries.map(\.name), in: .store, [StoreFolder.binaries]) {
      guard !others.contains(name), let size = binaries.removeValue(forKey: name) else {
        // While some rows are unreadable, the binaries that they use are unknown.
        if isComplete { report.problems.append(Problem(path: directory.path(of: name), text: "no object uses it")) }
        continue
      }
      let bytes = try view.view.file(StoreFolder.binary(name)) ?? []
      if !ExternalBinary(digest: name, size: size).isOf(bytes) {
        report.problems.append(Problem(path: directory.path(of: name), text: "its bytes are not those of its name"))
      }
    }
    for missing in binaries.keys.sorted() {
      report.problems.append(Problem(path: directory.path(of: missing), text: "it is missing"))
    }
  }

  // MARK: Index

  private mutating func checkIndex() throws {
    let index = StoreIndexCheck(view: view, keys: keys, segments: segments)
    report.problems += try index.problems()
  }
}

/// The result of checking a store.
package struct StoreReport: Sendable {
  /// Violations of the store format.
  package var problems: [Problem] = []
  /// Findings that the format allows and a person may want to see: references to missing objects. A delete rule may
  /// leave references of this kind.
  package var notes: [Problem] = []

  package init(problems: [Problem] = []) { self.problems = problems }
}

extension ObjectStore {
  /// Checks the store and returns the problems found. Damage is reported, never repaired.
  package func check() throws -> [Problem] { try report().problems }

  /// Checks the store like ``check()``, and returns notes as well as problems.
  package func report() throws -> StoreReport {
    try translating {
      try folder.read(waitPolicy) { view in
        var checker = StoreChecker(StoreView(self, view))
        return try checker.run()
      }
    }
  }
}
