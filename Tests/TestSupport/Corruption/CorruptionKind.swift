/// The purpose of a file of the cloud, as far as it matters for damage.
package enum CorruptionKind: String, Sendable, CaseIterable {
  case marker, boot, rootLock, folderLock, account, device, link, databaseLog, tombstone, pointer
  case zoneProperties, zoneLog, zoneLock, record, shareLog, asset, upload, index, journal, keychain, key
  case schema, subscription

  /// The kind of a file by its path; nil for a file that is not part of a cloud.
  init?(path: [String]) {
    let (name, count) = (path.last ?? "", path.count)
    switch name {
    case "cloud.json" where count == 1: self = .marker
    case ".boot": self = .boot
    case ".lock", ".gate": self = count == 1 ? .rootLock : .folderLock
    case "zone.json": self = path.dropLast().last == "keys" ? .key : .zoneProperties
    case "keychain.json": self = .keychain
    case "schema.ckdb": self = .schema
    case "lock", "gate": self = .zoneLock
    case "changes.jsonl": self = path.contains("zones") ? .zoneLog : .databaseLog
    default:
      guard count > 1 else { return nil }
      if path.contains("keys") {
        self = .key
        return
      }
      switch (path[0], path[count - 2]) {
      case ("accounts", _): self = .account
      case ("devices", _): self = .device
      case (_, "subscriptions"): self = .subscription
      case (_, "records"): self = .record
      case (_, ".index"): self = .index
      case (_, "assets"): self = .asset
      case (_, "uploads"): self = .upload
      case (_, ".journal"): self = .journal
      case (_, ".deleted"): self = .tombstone
      case (_, "zones"): self = .pointer
      case (_, "shares"): self = count == 4 ? .link : .shareLog
      default: return nil
      }
    }
  }

  var isJSON: Bool {
    ![.boot, .rootLock, .folderLock, .zoneLock, .asset, .upload, .index, .journal, .schema].contains(self)
  }

  var isLines: Bool { self == .databaseLog || self == .zoneLog || self == .shareLog }
}
