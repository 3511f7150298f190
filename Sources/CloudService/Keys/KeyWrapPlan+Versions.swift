import CloudModel
import CloudStore
import Storage

/// Which keys are good for something new: those that nobody had who lost the way to them. Others stay, for what is sealed
/// with them, and the next save that seals something makes those that it needs. So what a removal costs does not grow with
/// the records.
extension KeyWrapPlan {
  /// Whether a record has a key, and nobody from outside ever had it: it was not left behind by the record when that left a
  /// share, nor is it sealed with one that was. Files tell that, without a key.
  func isFresh(_ name: ExactName) throws -> Bool {
    // Upward to one that is known, then down again.
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

  /// What can't be read above a record says nothing against its key.
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

  /// The same of the zone's key.
  func isFreshZone() throws -> Bool {
    if let isZoneFresh { return isZoneFresh }
    let isExposed = try keys.zoneFile()?.history.isExposed ?? false
    let isStale = try Membership.isZoneWide(record) && isStale(Record.zoneWideShareName)
    isZoneFresh = !isExposed && !isStale
    return !isExposed && !isStale
  }

  /// Whether somebody had a share's key who went. One that can't be read opens nothing to anybody.
  private func isStale(_ share: ExactName) throws -> Bool {
    do { return try keys.shareFile(share)?.isStale ?? false } catch is ZoneKeys.Lost { return false }
  }

  // MARK: Who loses the way

  /// A record leaves a share: who was in that has its key, and ways to those below it.
  func expose(_ name: ExactName) throws {
    guard try hasKeys, try !keys.isPerZone(), var file = try fileAbove(name), !file.history.isExposed else { return }
    file.history.isExposed = true
    put(file, .recordKey(name))
    forgetFresh()
  }

  /// A share ends: who was in it has the key of its root, or of the zone.
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
