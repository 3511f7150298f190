import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Decides which keys may seal new values: those that no account without present access has. Other keys stay for the
/// values that are sealed with them. The next save that seals a value creates the keys that it needs, so the cost of a
/// removal does not grow with the number of records.
extension KeyWrapPlan {
  /// Whether a record has a key that may seal new values: the key was not exposed when the record left a share or a
  /// share ended, no former participant has the share's key that opens it, and it isn't sealed with a key of a former
  /// participant. The key files show this without a private key.
  func isFresh(_ name: ExactName) throws -> Bool {
    // Go up to a record with a known result, then down again.
    var chain: [ExactName] = []
    var visited: Set<ExactName> = []
    var next: ExactName? = name
    while let current = next, fresh[current] == nil, visited.insert(current).inserted {
      chain.append(current)
      next = try record(current)?.keyParent
    }
    for current in chain.reversed() { fresh[current] = try isFresh(current, current == name) }
    return fresh[name] ?? false
  }

  /// Whether the record's key may seal new values. An unreadable key file of an ancestor does not make it false.
  private func isFresh(_ name: ExactName, _ isAsked: Bool) throws -> Bool {
    do {
      guard let file = try keys.recordFile(name), !file.history.isExposed else { return false }
      if let zone = file.zone, try !isFreshZone(zone.version) { return false }
      guard let stored = try record(name) else { return true }
      if let parent = file.parent, parent.parent == stored.keyParent, let above = try fileAbove(parent.parent) {
        guard fresh[parent.parent] ?? true, above.history.version == parent.version else { return false }
      }
      return try stored.share.map(isStale) != true
    } catch let error as ZoneKeys.Lost {
      if isAsked { throw error }
      return true
    }
  }

  private func fileAbove(_ name: ExactName) throws -> RecordKeyFile? {
    do { return try keys.recordFile(name) } catch is ZoneKeys.Lost { return nil }
  }

  private func isFreshZone(_ version: Int) throws -> Bool {
    guard let file = try keys.zoneFile() else { return true }
    return try file.history.version == version && isFreshZone()
  }

  /// The same for the zone's key.
  func isFreshZone() throws -> Bool {
    if let isZoneFresh { return isZoneFresh }
    let isExposed = try keys.zoneFile()?.history.isExposed ?? false
    let isStale = try Membership.isZoneWide(record) && isStale(Record.zoneWideShareName)
    isZoneFresh = !isExposed && !isStale
    return !isExposed && !isStale
  }

  /// Whether a former participant has the share's key. An unreadable key file gives no account access.
  private func isStale(_ share: ExactName) throws -> Bool {
    do { return try keys.shareFile(share)?.isStale ?? false } catch is ZoneKeys.Lost { return false }
  }

  // MARK: Exposed keys

  /// Marks the key of a record that leaves a share: the share's participants have it, and through it the keys of its
  /// descendants.
  func expose(_ name: ExactName) throws {
    guard try hasKeys, try !keys.isPerZone(), var file = try fileAbove(name), !file.history.isExposed else { return }
    file.history.isExposed = true
    put(file, .recordKey(name))
    forgetFresh()
  }

  /// Marks the key that a share opens when the share ends: its participants have the key of its root, or of the zone.
  func exposeWhatOpens(_ share: ExactName, _ details: ShareDetails) throws {
    guard try hasKeys, try transaction.file(.shareKey(share)) != nil else { return }
    if let root = details.root { return try expose(root) }
    do {
      guard var file = try keys.zoneFile(), !file.history.isExposed else { return }
      file.history.isExposed = true
      put(file, .zoneKey)
      forgetFresh()
    } catch is ZoneKeys.Lost {}
  }

  func forgetFresh() { (fresh, isZoneFresh) = ([:], nil) }
}
