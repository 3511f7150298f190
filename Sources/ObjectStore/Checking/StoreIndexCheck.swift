import LocalCloudPlatform
import LocalCloudStorage

/// Compares a store's index with the keys that follow from the files.
struct StoreIndexCheck {
  let view: StoreView
  /// The keys that follow from the segments, and the prefixes of the keys of the segments themselves.
  let keys: Set<[UInt8]>
  let segments: Set<[UInt8]>

  private var path: String {
    view.folder.directory.path(of: JournaledFolder.indexFolder + "/" + JournaledFolder.indexName)
  }

  func problems() throws -> [Problem] {
    do {
      let index = try view.view.index()
      try index.verify()
      var found: Set<[UInt8]> = []
      try index.scan(prefix: []) { key in
        found.insert(key)
        return true
      }
      let missing = missingSegments(found)
      // The keys of rows in a missing segment follow from no file.
      if !missing.isEmpty { return missing }
      let cut = missingLines(found)
      if !cut.isEmpty { return cut }
      return [(keys.subtracting(found), "lacks"), (found.subtracting(keys), "has without reason")].flatMap {
        keys, text in
        keys.prefix(5).map { Problem(path: path, text: "it \(text) the key \(hexadecimal($0))") }
      }
    } catch let error as IndexDamage {
      return [Problem(path: path, text: "damaged: \(error.reason)")]
    } catch is IndexUnusable {
      return [Problem(path: path, text: "it is missing, or behind the files")]
    }
  }

  /// The rows that are in the index but have no line in the files: a segment was truncated.
  private func missingLines(_ found: Set<[UInt8]>) -> [Problem] {
    let kinds: Set<UInt8> = [IndexKind.row.rawValue, IndexKind.deletion.rawValue]
    // The table and the number of a row, without the kind of its key.
    func row(_ key: [UInt8]) -> ArraySlice<UInt8> { key[1..<(StoreTable.prefixLength + 8)] }
    let present = Set(keys.lazy.filter { kinds.contains($0[0]) }.map(row))
    var lines: [String: [String]] = [:]
    for key in found where key.first == IndexKind.row.rawValue && !present.contains(row(key)) {
      guard let table = StoreTable(key: key), let entry = RowEntry(key: key) else { continue }
      let path = view.folder.segments.path(table, entry.segment)
      lines[path, default: []].append(view.folder.name(of: RowEntry.number(ofKey: key), in: table))
    }
    return lines.sorted { $0.key < $1.key }.map { path, rows in
      let more = rows.count > Self.mostNames ? " and \(rows.count - Self.mostNames) more" : ""
      let names = rows.sorted().prefix(Self.mostNames).joined(separator: ", ")
      return Problem(path: path, text: "it lacks lines that the index names: \(names)\(more)")
    }
  }

  private static let mostNames = 50

  /// The segments that are in the index but not on the disk.
  private func missingSegments(_ found: Set<[UInt8]>) -> [Problem] {
    let prefixLength = SegmentEntry.prefixLength
    let missing = found.filter { key in
      key.first == IndexKind.segment.rawValue && key.count > prefixLength
        && !segments.contains(Array(key.prefix(prefixLength)))
    }
    return missing.compactMap { key in
      guard let table = StoreTable(key: key) else { return nil }
      return Problem(
        path: view.folder.segments.path(table, SegmentEntry.segment(ofKey: key)),
        text: "it is missing, with all its rows")
    }.sorted { $0.path < $1.path }
  }
}
