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
    // `check` does not open these files.
    case (.denied, .index), (.denied, .upload), (.denied, .tombstone): false
    // These files are not read, so any size is valid.
    case (.sparse, .zoneLock), (.sparse, .rootLock), (.sparse, .folderLock), (.sparse, .upload): false
    default: file.kind != .boot && file.kind != .marker
    }
  }

  /// An error that the harm causes has one of these texts: the file's path, or the file where the harm shows.
  var textsOfErrors: [String] {
    let path = "/" + file.text
    // The damaged key is not known: the error names the value that can't be decrypted.
    let sealed = [
      "has an encrypted value, 'secret'", "The long-lived operation \(FullCloud.operations[1]) can't be read",
    ]
    switch file.kind {
    case .device: return [path, "operation " + file.name.prefix { $0 != "." && $0 != "-" }]
    case .key, .keychain, .account: return [path] + sealed
    // The frames of a journal write to files of its container and of devices.
    case .journal: return ["/" + file.path.prefix(2).joined(separator: "/") + "/", "/devices/"] + sealed
    default: return [path]
    }
  }

  /// Whether a write may exceed the size of a file: a sparse file is appended to, or a frame has another offset.
  var mayExceedSize: Bool { mutation == .sparse || file.kind == .journal }

  /// Whether the harm may change or hide the record. `otherBoot`: zones apply their journals again.
  func mayConcern(
    _ name: ExactName, _ record: CorruptionTruth.Entry, in zone: CorruptionTruth.Zone, otherBoot: Bool
  ) -> Bool {
    let isInZone = file.zone == zone.folder
    switch file.kind {
    case .marker: return true
    // A participant's access depends on both accounts.
    case .account:
      return file.name == "\(zone.account).json" || zone.folder.hasPrefix("private/\(file.name.dropLast(5))/")
    // A journal that is applied again writes to these files.
    case .device, .databaseLog, .boot, .link, .subscription, .folderLock, .rootLock: return otherBoot && bytes == nil
    // A process reads all of a database's deletion marks.
    case .tombstone: return mutation == .denied || otherBoot && bytes == nil
    case .pointer:
      let pair = zone.folder.split(separator: "/").dropFirst().joined(separator: ",")
      return otherBoot && bytes == nil
        || zone.scope == .shared && file.text.hasSuffix("/shared/\(zone.account)/zones/\(pair).json")
    case .schema: return zone.scope == .public
    case .keychain: return !record.encryptedFields.isEmpty && file.path[1] == Account.defaultDevice(of: zone.account)
    case .key: return isInZone && (zone.scope == .shared || !record.encryptedFields.isEmpty)
    case .record:
      return isInZone && (zone.scope == .shared || otherBoot || FileName.document(name.string) == file.name)
    case .asset: return isInZone && (otherBoot || mutation == .denied)
    case .upload, .index: return isInZone && otherBoot && bytes == nil
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
