import Platform
import Storage

/// Begins a history anew behind its damage ([store-8]).
struct HistoryRepair {
  private let folder: StoreFolder
  private let aside: Quarantine
  private let bytes: [UInt8]
  private let scan: HistoryScan
  /// What is wrong, if something is.
  let problems: [String]
  /// The highest number that the history tells of.
  var taken: Int64 { scan.taken }
  /// The store's sequence after the repair.
  let head: Int64
  /// The last transaction that the new history does not tell of.
  private let horizon: Int64

  /// `indexed`: the number up to which the index knows of the store.
  init(_ folder: StoreFolder, _ aside: Quarantine, _ tables: [TableScan], indexed: Int64?) throws {
    self.folder = folder
    self.aside = aside
    let contents = try folder.contents(StoreFolder.history)
    bytes = contents ?? []
    scan = HistoryScan(bytes)
    let inUse = tables.flatMap { [$0.rows.keys.max(), $0.hidden.keys.max(), $0.segments.keys.max()] }
    let taken = max(scan.taken, inUse.compactMap(\.self).max() ?? 0, indexed ?? 0)
    var problems = contents == nil ? ["it is missing"] : scan.problems
    let last = scan.soundLines?.upperBound ?? (scan.problems.isEmpty ? scan.taken : 0)
    // The lines for numbers behind the last line are lost.
    if problems.isEmpty, taken > last {
      problems.append("it ends with the number \(last), and \(taken) is in use")
    }
    self.problems = problems
    if let lines = scan.soundLines, taken <= last {
      (head, horizon) = (last, lines.lowerBound - 1)
    } else {
      head = problems.isEmpty ? last : taken + scan.unreadLines
      horizon = head
    }
  }

  var isSound: Bool { problems.isEmpty }

  /// The numbers of the objects that were deleted after a transaction; nil if the new history does not tell of all of them.
  func deletions(after transaction: Int64) -> Set<Int64>? {
    guard transaction >= (isSound ? scan.horizon : horizon) else { return nil }
    var numbers: Set<Int64> = []
    for line in rest.split(separator: UInt8(ascii: "\n")) {
      for name in (try? JSONValue(parsing: line))?["deleted"]?.object?.keys ?? [] {
        if let id = folder.names.id(name) { numbers.insert(id.number) }
      }
    }
    return numbers
  }

  /// The lines that stay.
  private var rest: ArraySlice<UInt8> { isSound ? bytes[...] : horizon < head ? bytes[scan.soundStart...] : [] }

  /// Puts the new history in place. The old one is in the quarantine.
  func run(_ store: JournaledFolder) throws -> Problem {
    // A replay must not append to the new one.
    try store.journal.checkpoint()
    let header = horizon > 0 ? LogHeader(horizon: horizon, forgotten: horizon).bytes : []
    try store.put(header + rest, as: StoreFolder.history.name)
    try folder.directory.sync()
    let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
    return Problem(
      path: folder.directory.path(of: StoreFolder.history.name),
      text: "\(problems[0])\(more): it now begins after the number \(horizon); "
        + (bytes.isEmpty ? "there was nothing to copy" : "what was there is in \(aside.path)"))
  }
}
