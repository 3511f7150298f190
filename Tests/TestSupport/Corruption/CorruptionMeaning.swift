import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// The meaning of a file, as far as `check` verifies it ([check-1] to [check-33]). `check` must report every change of
/// the meaning, except in the parts that are listed here as unchecked.
struct CorruptionMeaning {
  private let file: CorruptionFile
  private let stage: CorruptionStage

  init(_ file: CorruptionFile, _ stage: CorruptionStage) { (self.file, self.stage) = (file, stage) }

  /// Whether `check` must report the new bytes if they replace the old ones.
  func mustShow(_ new: [UInt8]) -> Bool {
    let old = file.bytes(in: stage.image)
    switch file.kind {
    // Verified by their digests.
    case .record, .asset: return new != old
    // The contents have no meaning.
    case .rootLock, .folderLock, .zoneLock, .upload: return false
    // Opening the cloud rewrites the boot file, and a damaged index is rebuilt when it is used.
    case .boot, .index: return false
    // Without the marker there is no cloud to check.
    case .marker: return false
    // Whether frames are damaged depends on the whole journal: see CorruptionJournal.
    case .journal: return false
    case .schema:
      return (try? Schema(text: String(decoding: new, as: UTF8.self))) == nil
    case .zoneLog, .shareLog, .databaseLog:
      return CorruptionLogMeaning(zoneHorizon: zoneHorizon).mustShow(file, new, insteadOf: old)
    case .device where file.name.hasSuffix(".jsonl"):
      return CorruptionLogMeaning(zoneHorizon: 0).mustShow(file, new, insteadOf: old)
    case .account, .device, .link, .tombstone, .pointer, .zoneProperties, .keychain, .key, .subscription:
      guard let value = try? JSONValue(parsing: new), value.object != nil else { return true }
      return vouched(value) != vouched(try? JSONValue(parsing: old))
    }
  }

  /// Whether other files show that the file must exist.
  var mustBeThere: Bool {
    switch file.kind {
    case .record, .asset, .zoneLog, .zoneProperties, .zoneLock, .link, .pointer, .shareLog: true
    case .journal: file.name == "log"
    case .key: isOfSealedRecord
    default: false
    }
  }

  /// Whether the file is the key of a record with encrypted fields ([check-26]).
  private var isOfSealedRecord: Bool {
    file.path.dropLast().last == "records"
      && stage.truth.records.contains { place, records in
        place.folder == file.zone
          && records.contains { FileName.document($0.string) == file.name && !$1.encryptedFields.isEmpty }
      }
  }

  /// The horizon of the zone's original log.
  private var zoneHorizon: Int64 {
    let log = stage.files.first { $0.kind == .zoneLog && $0.zone == file.zone }
    return log.flatMap { CorruptionLog($0.bytes(in: stage.image)) }?.horizon ?? 0
  }

  // MARK: Documents

  /// The parts of a document that must agree with other files or with its name, and those that its readers need.
  private func vouched(_ value: JSONValue?) -> [JSONValue?] {
    func at(_ path: String...) -> JSONValue? { path.reduce(value) { $0?[$1] } }
    /// The types of members that are checked by type only.
    func types(_ keys: String..., of object: JSONValue? = nil) -> [JSONValue?] {
      keys.map { CorruptionLog.type((object ?? value)?[$0]) }
    }
    switch file.kind {
    case .account: return [at("name")] + types("userRecordName", "status", "created")
    // The link repeats values of its share ([check-4]).
    case .link:
      return [
        at("containerIdentifier"), at("environment"), at("ownerAccount"), at("rootRecordName"),
        at("share", "recordName"), at("shortGUID"), at("zoneID", "ownerRecordName"), at("zoneID", "zoneName"),
      ]
    case .pointer:
      return [at("ownerAccount"), at("zoneID", "zoneName")] + types("incarnation")
        + (at("shares")?.array ?? []).flatMap { [$0["recordName"]] + types("sequence", of: $0) }
    // All records of the zone contain its owner ([file-16]).
    case .zoneProperties:
      return [at("zoneID", "zoneName"), at("zoneID", "ownerRecordName")]
        + types("incarnation", "base", "capabilities", "created")
    case .subscription:
      return [at("subscriptionID"), at("subscriptionType"), at("zoneID", "zoneName"), at("x-local", "userRecordName")]
        + types("token", of: at("x-local")) + types("query") + types("recordType", of: at("query"))
    case .tombstone: return types("sequence")
    // No other file lists the keys that the keychain must contain.
    case .keychain:
      let isWhole = (at("keys")?.array ?? []).allSatisfy {
        types("container", "privateKey", "userRecordName", of: $0) == ["text", "text", "text"]
          && $0["generation"]?.integer != nil
      }
      return types("keys") + [.bool(isWhole)]
    // A key may lack some ways to reach it, but not all of them.
    case .key:
      if file.path.suffix(2) == ["keys", "zone.json"] { return types("owner") }
      guard isOfSealedRecord else { return [at("recordName")] }
      return [at("recordName"), .bool(at("zone") == nil && at("parent") == nil && at("owner") == nil)]
    case .device: return vouched(ofDevice: at)
    default: return []
    }
  }

  /// The checked parts of a document in a device's folder ([check-21] to [check-23]).
  private func vouched(ofDevice at: (String...) -> JSONValue?) -> [JSONValue?] {
    func types(_ keys: String...) -> [JSONValue?] { keys.map { CorruptionLog.type(at($0)) } }
    switch file.path.dropFirst(2).first {
    // A device may have no account signed in.
    case "device.json": return [at("name"), .bool(at("account") == nil || at("account")?.string != nil)]
    case "inbox": return [at("kind")] + types("containerIdentifier", "environment", "sent", "url")
    case "operations":
      let keys =
        file.name.contains("-answers")
        ? types("content", "finished") : types("containerIdentifier", "content", "environment", "kept")
      return [at("operationID")] + keys
    case "pushes": return [at("containerIdentifier"), at("environment")] + types("sequence")
    default: return []
    }
  }
}
