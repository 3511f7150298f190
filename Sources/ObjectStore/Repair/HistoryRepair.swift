import LocalCloudPlatform
import LocalCloudStorage

/// Begins a history anew behind its damage ([store-8]).
struct HistoryRepair {
  private let folder: StoreFolder
  /// The lines that stay.
  private let lines: ArraySlice<UInt8>
  private let wasEmpty: Bool
  /// The faults, if there are any.
  let problems: [String]
  /// The store's sequence before the repair's commit: no higher number is in use.
  let head: Int64
  /// The last transaction that is not in the new history.
  private let horizon: Int64
  /// The objects that were deleted, by the lines that stay.
  let deleted: Set<Int64>

  /// - Parameter used: the highest number that the index and the mirroring know of.
  init(_ folder: StoreFolder, _ tables: [TableScan], used: Int64) throws {
    self.folder = folder
    let contents = try folder.contents(StoreFolder.history)
    let bytes = contents ?? []
    let scan = HistoryScan(bytes)
    let inUse = tables.flatMap { [$0.rows.keys.max(), $0.hidden.keys.max(), $0.segments.keys.max()] }
    let taken = max(scan.taken, inUse.compactMap(\.self).max() ?? 0, used)
    var problems = contents == nil ? ["it is missing"] : scan.problems
    let last = scan.soundLines?.upperBound ?? (scan.problems.isEmpty ? scan.taken : 0)
    // The lines for numbers behind the last line are lost.
    if problems.isEmpty, taken > last {
      problems.append("it ends with the number \(last), and \(taken) is in use")
    }
    if problems.isEmpty {
      (head, horizon, lines) = (last, scan.horizon, bytes[...])
    } else if let sound = scan.soundLines, taken <= last {
      (head, horizon, lines) = (last, sound.lowerBound - 1, bytes[scan.soundStart...])
    } else {
      head = taken + scan.unreadLines
      (horizon, lines) = (head, [])
    }
    (self.problems, wasEmpty) = (problems, bytes.isEmpty)
    deleted = Self.deleted(lines, folder.names)
  }

  var isSound: Bool { problems.isEmpty }

  /// Whether the new history has all transactions after this one.
  func tells(after transaction: Int64) -> Bool { transaction >= horizon }

  /// An object that was inserted again, under its number, is not deleted.
  private static func deleted(_ lines: ArraySlice<UInt8>, _ names: EntityNames) -> Set<Int64> {
    var numbers: Set<Int64> = []
    for line in lines.split(separator: UInt8(ascii: "\n")) {
      guard let value = try? JSONValue(parsing: line) else { continue }
      for text in value["inserted"]?.array ?? [] {
        if let id = text.string.flatMap(names.id) { numbers.remove(id.number) }
      }
      for text in value["deleted"]?.object?.keys ?? [] {
        if let id = names.id(text) { numbers.insert(id.number) }
      }
    }
    return numbers
  }

  /// The contents of the new history, before the repair's own line.
  var newLines: [UInt8] {
    (horizon > 0 ? LogHeader(horizon: horizon, forgotten: horizon).bytes : []) + lines
  }

  /// The file that the new history replaces; none if the history stays.
  func replacedFiles() -> [(folder: Directory, name: String)] {
    isSound ? [] : [(folder.directory, StoreFolder.history.name)]
  }

  func problem(_ aside: Quarantine) -> Problem? {
    guard let first = problems.first else { return nil }
    let more = problems.count > 1 ? " (and \(problems.count - 1) more)" : ""
    return Problem(
      path: folder.directory.path(of: StoreFolder.history.name),
      text: "\(first)\(more): it now begins after the number \(horizon); "
        + (wasEmpty ? "there was nothing to copy" : "what was there is in \(aside.path)"))
  }
}
