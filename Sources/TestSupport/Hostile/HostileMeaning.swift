import CloudService
import CloudStore

/// What a file says as far as `check` vouches for it ([check-1] to [check-29]). Two files of the same meaning can't be told
/// apart by anybody; two of another can, but for what is named here as nobody's business.
enum HostileMeaning {
  /// Whether `check` has to speak of the new bytes in the place of the old ones.
  static func mustShow(_ file: HostileFile, _ new: [UInt8], insteadOf old: [UInt8]) -> Bool {
    switch file.kind {
    // By their digests.
    case .record, .asset: return new != old
    // Their contents mean nothing.
    case .rootLock, .folderLock, .zoneLock, .upload: return false
    // Whoever opens the cloud writes it anew, and whoever meets a damaged index makes it anew.
    case .boot, .index: return false
    // Without it there is no cloud to be checked.
    case .marker: return false
    // Frames are damaged or not as journals go: see HostileJournal.
    case .journal: return false
    case .schema:
      return (try? Schema(text: String(decoding: new, as: UTF8.self))) == nil
    // Half a line at a share's log's end goes with the next commit of the share.
    case .shareLog where new.starts(with: old): return false
    case .zoneLog, .shareLog, .databaseLog:
      guard let log = lines(file.kind, new) else { return true }
      return log != lines(file.kind, old)
    case .account, .device, .link, .tombstone, .pointer, .zoneProperties, .keychain, .key, .subscription:
      if file.name.hasSuffix(".jsonl") { return false }
      guard let value = try? JSONValue(parsing: new), value.object != nil else { return true }
      return vouched(file.kind, value) != vouched(file.kind, try? JSONValue(parsing: old))
    }
  }

  /// What others tell is there.
  static func mustBeThere(_ file: HostileFile) -> Bool {
    switch file.kind {
    case .record, .asset, .zoneLog, .zoneProperties, .zoneLock, .link, .pointer: true
    case .journal: file.name == "log"
    case .shareLog: true
    default: false
    }
  }

  /// The parts of a document that other files, or its own name, must agree with.
  private static func vouched(_ kind: HostileKind, _ value: JSONValue?) -> [JSONValue?] {
    func at(_ path: String...) -> JSONValue? { path.reduce(value) { $0?[$1] } }
    /// What must be there and of one type, whatever it says.
    func type(_ path: String...) -> JSONValue? {
      let found = path.reduce(value) { $0?[$1] }
      if found?.string != nil { return "text" }
      if found?.integer != nil { return "integer" }
      return found?.object != nil ? "object" : found?.array != nil ? "list" : nil
    }
    switch kind {
    case .account: return [at("name"), type("userRecordName")]
    case .link:
      return [
        at("share", "recordName"), at("shortGUID"), at("zoneID", "zoneName"),
      ]
    case .pointer:
      return [at("ownerAccount"), at("zoneID", "zoneName"), type("incarnation")]
        + (at("shares")?.array ?? []).map { $0["recordName"] }
    case .zoneProperties:
      return [
        at("zoneID", "zoneName"), type("zoneID", "ownerRecordName"), type("incarnation"), type("base"),
        type("capabilities"), type("created"),
      ]
    case .subscription: return [at("subscriptionID")]
    default: return []
    }
  }

  private struct Line: Hashable {
    var sequence: Int64
    var kind: String?
    var record: String?
    var rest: [JSONValue?]
  }

  /// What a log's lines say of the present; nil for what no log can hold.
  private static func lines(_ kind: HostileKind, _ bytes: [UInt8]) -> [Line]? {
    var pieces = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    guard let last = pieces.popLast() else { return [] }
    // Of a database's log half a line may be left.
    if !last.isEmpty, kind != .databaseLog { return nil }
    var result: [Line] = []
    for piece in pieces {
      guard let value = try? JSONValue(parsing: Array(piece)), let sequence = value["sequence"]?.integer else {
        return nil
      }
      let line = Line(
        sequence: sequence, kind: value["kind"]?.string,
        record: (value["recordName"] ?? value["zone"])?.string, rest: [])
      result.append(line)
    }
    // A database's log goes up by one; what its lines mention of the past says nothing.
    if kind == .databaseLog {
      let horizon = pieces.first.flatMap { (try? JSONValue(parsing: Array($0)))?["horizon"]?.integer } ?? 0
      let counted = result.map(\.sequence).filter { $0 > horizon }
      return zip(counted, counted.dropFirst()).allSatisfy { $0 + 1 == $1 } ? [] : nil
    }
    // Of a share's log, that it can be read: what it must list, [log-13] says.
    if kind == .shareLog { return [] }
    return result
  }
}
