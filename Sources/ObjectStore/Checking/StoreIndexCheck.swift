import Platform
import Storage

/// Compares a store's index with the keys that follow from the files.
struct StoreIndexCheck {
  let view: StoreView
  /// The keys that follow from the segments, and the beginnings of those of the segments themselves.
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
      // Keys of rows that were in a missing segment follow from nothing.
      if !missing.isEmpty { return missing }
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

  /// The segments that the index knows and the disk lacks.
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
