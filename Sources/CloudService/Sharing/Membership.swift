import CloudModel
import CloudStore
import Storage

/// Which share a record is in: computed from parents, never stored on children ([share-tree-4]). Everything in a zone is
/// in its zone-wide share, if it has one ([share-zone-2]).
struct Membership {
  private let reader: any ZoneReader
  private let isZoneWide: Bool
  private let chains = ParentChains()

  /// Of what the reader has now, and for as long as it has it: what was asked once is not looked for again.
  init(_ reader: any ZoneReader) throws {
    self.reader = reader
    isZoneWide = try Self.isZoneWide(reader.record)
  }

  /// The share of the nearest record upward, this one included, that is a share's root.
  func share(of name: ExactName) throws -> ExactName? {
    if isZoneWide { return try reader.record(name) == nil ? nil : Record.zoneWideShareName }
    return try chains.share(of: name, reader.record)
  }

  /// Whether the zone is shared as a whole; an ordinary record may bear that share's name.
  static func isZoneWide(_ record: (ExactName) throws -> StoredRecord?) throws -> Bool {
    try record(Record.zoneWideShareName)?.type == Record.shareType
  }

  /// The record and all below it, parents first; not below roots of shares of their own.
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

  /// Whether a record below this one is the root of a share.
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
  /// Whether it is a zone-wide share's.
  var isZoneWideShare: Bool { self == Record.zoneWideShareName }
  /// The share whose log tells of the records in this one; nil where the zone's own log does.
  var loggedShare: ExactName? { isZoneWideShare ? nil : self }
}

extension StoredRecord {
  /// On the root of a hierarchical share.
  var share: ExactName? { Record.share(in: object) }
  /// On a share and its root: what the share's link ends with.
  var shortGUID: String? { Record.shortGUID(in: object) }
}
