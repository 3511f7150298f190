import LocalCloudPlatform
import LocalCloudStorage

/// The state of a zone after its last commit, while its lock is held.
package final class ZoneView: ZoneReader {
  /// The valid values of a sequence, from any source.
  package static let sequences = LogFile.sequences
  package let zone: ZoneStore
  let folder: FolderView
  private lazy var parsedProperties = Result { try zone.properties() }

  /// The records that were read. Only a writer caches them, because it reads them again and again.
  private var known: [ExactName: StoredRecord?]?
  private var prefetcher: DocumentPrefetcher<StoredRecord>?

  init(_ zone: ZoneStore, _ folder: FolderView, remembering: Bool = false) {
    self.zone = zone
    self.folder = folder
    if remembering { known = [:] }
  }

  package func properties() throws -> ZoneProperties { try parsedProperties.get() }

  /// The sequence of the zone's last change.
  package func head() throws -> Int64 { try folder.head() }

  package func record(_ name: ExactName) throws -> StoredRecord? {
    if let known = known?[name] { return known }
    let record = try readRecord(name)
    known?[name] = .some(record)
    return record
  }

  private func readRecord(_ name: ExactName) throws -> StoredRecord? {
    if let contents = folder.pendingContents(.record(name)) {
      return try contents.map { try StoredRecord.parse($0, path: zone.recordPath(name), expecting: name) }
    }
    if let result = prefetcher?.document(name) { return try result.get() }
    return try zone.files.readRecord(name)
  }

  /// Starts to read the records on another thread, in this order; a record that is needed sooner is read by the caller.
  /// For a writer.
  func readAhead(_ names: [ExactName]) {
    if known != nil, prefetcher == nil {
      prefetcher = DocumentPrefetcher(names) { [files = zone.files] in try files.readRecord($0) }
    }
  }

  /// Call when a writer is done.
  func stopReadingAhead() {
    prefetcher?.end()
    prefetcher = nil
  }

  package func file(_ path: StorePath) throws -> [UInt8]? { try folder.file(path) }

  /// The bytes of an asset that a record of this zone refers to.
  package func content(of asset: ContentName) throws -> AssetContent { try zone.files.content(of: asset) }

  // MARK: Index

  func index() throws -> IndexFile { try folder.index() }

  /// Calls `body` with the keys that begin with `prefix` and do not precede `from`, in order, until it returns false.
  func scan(prefix: [UInt8], from: [UInt8]? = nil, _ body: ([UInt8]) throws -> Bool) throws {
    try folder.scan(prefix: prefix, from: from, body)
  }

  package func children(of parent: ExactName) throws -> [ExactName] { try names(IndexKey.children(parent)) }

  package func referrers(of target: ExactName) throws -> [ExactName] { try names(IndexKey.referrers(target)) }

  package func validators(of target: ExactName) throws -> [ExactName] { try names(IndexKey.validators(target)) }

  /// Whether a record refers to the asset, by a key that is not in `removed`.
  func hasReferrer(of asset: ContentName, besides removed: Set<[UInt8]>) throws -> Bool {
    var result = false
    try scan(prefix: IndexKey.holders(asset)) { key in
      result = !removed.contains(key)
      return !result
    }
    return result
  }

  package func members(of share: ExactName) throws -> [ExactName] {
    let prefix = IndexKey.members(share)
    var result: [ExactName] = []
    try scan(prefix: prefix) { key in
      // A zero byte and the eight bytes of the sequence follow the name.
      result.append(IndexKey.name(in: Array(key.dropLast(9)), after: prefix))
      return true
    }
    return result
  }

  /// The sequence of a live member's latest line in a share's log.
  package func memberSequence(_ record: ExactName, of share: ExactName) throws -> Int64? {
    let prefix = IndexKey.member(share, record)
    var result: Int64?
    try scan(prefix: prefix) { key in
      result = key.suffix(8).reduce(0) { $0 << 8 | Int64($1) }
      return false
    }
    return result
  }

  /// The names of a type's records in byte order, after `name`, at most `limit`.
  package func records(ofType type: String, after name: ExactName?, limit: Int) throws -> [ExactName] {
    let prefix = IndexKey.typed(type)
    var result: [ExactName] = []
    try scan(prefix: prefix, from: name.map { IndexKey.typed(type, $0) + [0] }) { key in
      result.append(IndexKey.name(in: key, after: prefix))
      return result.count < limit
    }
    return result
  }

  /// The number of records of a type, counted up to `limit`.
  package func count(ofType type: String, limit: Int) throws -> Int {
    try folder.requireFiles()
    return try index().count(prefix: IndexKey.typed(type), limit: limit)
  }

  /// The types and names of records in byte order, after `last`, at most `limit`.
  package func typedRecords(
    after last: (type: String, name: ExactName)?, limit: Int
  ) throws -> [(type: String, name: ExactName)] {
    var result: [(type: String, name: ExactName)] = []
    let start = last.map { IndexKey.typed($0.type, $0.name) + [0] }
    try scan(prefix: IndexKey.allTyped, from: start) { key in
      if let record = IndexKey.typed(in: key) { result.append(record) }
      return result.count < limit
    }
    return result
  }

  package func recordCount() throws -> Int { try folder.count(prefix: IndexKey.allTyped) }

  /// The names of all records. O(records).
  package func allRecords() throws -> [ExactName] {
    var result: [ExactName] = []
    try scan(prefix: IndexKey.allTyped) { key in
      if let record = IndexKey.typed(in: key) { result.append(record.name) }
      return true
    }
    return result
  }

  /// The shares that have members according to their logs.
  package func loggedShares() throws -> Set<ExactName> {
    var result: Set<ExactName> = []
    try scan(prefix: [UInt8(ascii: "m")]) { key in
      if let end = key.firstIndex(of: 0) { result.insert(ExactName(String(decoding: key[1..<end], as: UTF8.self))) }
      return true
    }
    return result
  }

  private func names(_ prefix: [UInt8]) throws -> [ExactName] {
    var result: [ExactName] = []
    try scan(prefix: prefix) { key in
      result.append(IndexKey.name(in: key, after: prefix))
      return true
    }
    return result
  }

  // MARK: Logs

  /// Up to this sequence the zone's log has only the lines that a compaction left; 0 if there was none.
  package func logHorizon() throws -> Int64 {
    try folder.requireFiles()
    return try LogFile.open("changes.jsonl", in: zone.directory)?.header().horizon ?? 0
  }

  package func forEachChange(after sequence: Int64, _ body: (ChangeLine) throws -> Bool) throws {
    try folder.forEachLine(of: .changeLog, after: sequence) { try body(ChangeLine($0, of: $1)) }
  }
}

/// Reads a zone while its lock is held: in its present state (``ZoneView``), or in the state after a transaction
/// (``ZoneTransaction``).
package protocol ZoneReader: AnyObject {
  var zone: ZoneStore { get }
  func record(_ name: ExactName) throws -> StoredRecord?
  func children(of parent: ExactName) throws -> [ExactName]
  /// The records that are deleted when `target` is deleted.
  func referrers(of target: ExactName) throws -> [ExactName]
  /// The records that refer to `target` and prevent its deletion while they exist.
  func validators(of target: ExactName) throws -> [ExactName]
  /// The live members of a share, according to its log.
  func members(of share: ExactName) throws -> [ExactName]
  /// A file that commits of this zone write; nil if there is none.
  func file(_ path: StorePath) throws -> [UInt8]?
}
