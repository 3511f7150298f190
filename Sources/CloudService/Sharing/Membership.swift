import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Finds the share of a record. Computed from parents, never stored on children ([share-tree-4]). In a zone with a
/// zone-wide share, every record is in that share ([share-zone-2]).
struct Membership {
  private let reader: any ZoneReader
  private let isZoneWide: Bool
  private let chains = ParentChains()

  /// For the reader's present records, and valid as long as they don't change: results are cached.
  init(_ reader: any ZoneReader) throws {
    self.reader = reader
    isZoneWide = try Self.isZoneWide(reader.record)
  }

  /// The share of the nearest ancestor, or of the record itself, that is the root of a share; the zone-wide share, if
  /// there is one.
  func share(of name: ExactName) throws -> ExactName? {
    if isZoneWide { return try reader.record(name) == nil ? nil : Record.zoneWideShareName }
    return try chains.share(of: name, reader.record)
  }

  /// Whether the zone is shared as a whole. An ordinary record may have the zone-wide share's name, so the type is
  /// checked.
  static func isZoneWide(_ record: (ExactName) throws -> StoredRecord?) throws -> Bool {
    try record(Record.zoneWideShareName)?.type == Record.shareType
  }

  /// The record and its descendants, parents first, without the subtrees of records that have a share of their own.
  func subtree(of root: ExactName) throws -> [ExactName] {
    var result: [ExactName] = [root]
    var visited: Set<ExactName> = [root]
    var position = 0
    while position < result.count {
      for child in try reader.children(of: result[position]) where visited.insert(child).inserted {
        guard let record = try reader.record(child), record.share == nil else { continue }
        result.append(child)
      }
      position += 1
    }
    return result
  }

  /// Whether a descendant of this record is the root of a share.
  func hasSharedDescendant(_ root: ExactName) throws -> Bool {
    var pending = try reader.children(of: root)
    var visited: Set<ExactName> = [root]
    while let name = pending.popLast() {
      guard visited.insert(name).inserted, let record = try reader.record(name) else { continue }
      if record.share != nil { return true }
      pending += try reader.children(of: name)
    }
    return false
  }
}

extension ExactName {
  /// Whether this is the name of a zone-wide share.
  var isZoneWideShare: Bool { self == Record.zoneWideShareName }
  /// The share with the log that lists the records in this share; nil for a zone-wide share: the zone's own log lists
  /// them.
  var loggedShare: ExactName? { isZoneWideShare ? nil : self }
}

extension StoredRecord {
  /// On the root of a hierarchical share: the name of that share.
  var share: ExactName? { Record.share(in: object) }
  /// On a share and its root: the last part of the share's link.
  var shortGUID: String? { Record.shortGUID(in: object) }
}
