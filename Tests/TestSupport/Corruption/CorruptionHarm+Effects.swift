import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// What every reader of the format must notice, and the records that it may lose.
extension CorruptionHarm {
  /// Whether `check` must name the file. True if any reader sees the harm: changed bytes where there is a digest, text
  /// that is not JSON, lines out of order, or a thing of another kind. The tests of each rule of `check` cover the rest.
  var mustBeFound: Bool {
    guard let bytes else { return mustBeFoundAsThing }
    switch file.kind {
    case .record, .asset: return true
    case .schema: return (try? Schema(text: String(decoding: bytes, as: UTF8.self))) == nil
    case .boot, .marker, .rootLock, .folderLock, .zoneLock, .upload, .index, .journal: return false
    default: break
    }
    guard file.kind.isLines || file.name.hasSuffix(".jsonl") else {
      return (try? JSONValue(parsing: bytes))?.object == nil
    }
    // A commit may be writing the last line.
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
    let sequences = lines.map { (try? JSONValue(parsing: Array($0)))?["sequence"]?.integer }
    return sequences.contains(nil) || zip(sequences, sequences.dropFirst()).contains { $0 ?? 0 >= $1 ?? 0 }
  }

  private var mustBeFoundAsThing: Bool {
    switch (mutation, file.kind) {
    // No other file says that these must exist.
    case (.remove, .record), (.remove, .asset), (.remove, .zoneLog), (.remove, .zoneProperties), (.remove, .zoneLock),
      (.remove, .link), (.remove, .pointer), (.remove, .shareLog):
      true
    case (.remove, _): false
    // These files are not read, so any size is valid.
    case (.sparse, .zoneLock), (.sparse, .rootLock), (.sparse, .folderLock), (.sparse, .upload): false
    default: file.kind != .boot && file.kind != .marker
    }
  }

  /// Whether the harm may change or hide the record. `otherBoot`: zones apply their journals again.
  func mayConcern(
    _ name: ExactName, _ record: CorruptionTruth.Entry, in zone: CorruptionTruth.Zone, otherBoot: Bool
  ) -> Bool {
    let isInZone = file.zone == zone.folder
    switch file.kind {
    case .account, .marker: return true
    // A journal that is applied again writes to these files.
    case .device, .databaseLog, .boot, .link, .subscription, .folderLock, .tombstone: return otherBoot && bytes == nil
    case .rootLock: return otherBoot
    case .pointer: return zone.scope == .shared || otherBoot
    case .schema: return zone.scope == .public
    case .keychain: return !record.encryptedFields.isEmpty
    case .key: return isInZone && (zone.scope == .shared || !record.encryptedFields.isEmpty)
    case .record:
      return isInZone && (zone.scope == .shared || otherBoot || FileName.document(name.string) == file.name)
    case .asset, .upload, .index: return isInZone && otherBoot
    case .journal, .zoneLog, .shareLog, .zoneLock, .zoneProperties: return isInZone
    }
  }
}

extension CorruptionKind {
  /// Whether the file holds nothing that repair must preserve: it can be made again from other files, or its contents
  /// do not matter. A checkpoint may empty a journal.
  var isDisposable: Bool {
    [.index, .boot, .rootLock, .folderLock, .zoneLock, .upload, .journal, .marker].contains(self)
  }
}
