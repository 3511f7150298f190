import Platform
import Storage

/// A machine that starts anew may have lost whatever was not synced. Each zone's journal brings its own files back, and
/// with them pointers, links and mentions that lie elsewhere; so all journals are replayed before anything is read.
extension Cloud {
  /// Once a boot, by whoever opens the cloud first; later ones only read the mark.
  func recoverAfterBoot(_ patience: LockWaitPolicy) throws {
    let boot = Array(fileSystem.bootIdentifier.utf8)
    if try isRecovered(boot) { return }
    do {
      try lock.withExclusive(patience) {
        if try isRecovered(boot) { return }
        try client.recoverAfterBoot(in: root, limits)
        try forEachZone { try recover($0, patience) }
        try root.writeStaged(Self.bootName + ".new", boot)
        try root.rename(Self.bootName + ".new", to: root, as: Self.bootName)
      }
    } catch let error as SystemError where !error.isStopped {
      // Who may only read, or whose disk is full, sees each zone as far as its files go, or is told why not; so does who
      // finds another thing in the place of a lock or of the mark. The mark is not set, so the next one tries again.
    }
  }

  private func isRecovered(_ boot: [UInt8]) throws -> Bool {
    let found: [UInt8]?
    do { found = try root.contents(Self.bootName) } catch {
      guard error.isUnreadable else { throw error }
      return false
    }
    return found == boot
  }

  /// A damaged zone must not keep the others from being used: whoever asks for it is told, and `check` tells.
  private func recover(_ path: ZonePath, _ patience: LockWaitPolicy) throws {
    do {
      try zone(path)?.folder.recover(patience)
    } catch StoreError.zoneMissing {
    } catch StorageError.damaged, StorageError.nameCollision {
    } catch let error as SystemError where error.isForeign {
    }
  }

  /// Runs `body` for each zone that there is, one database open at a time. Of a database whose zones can't be listed there
  /// are none to bring in order.
  func forEachZone(_ body: (ZonePath) throws -> Void) throws {
    for container in try containers() {
      try forEachDatabase(of: container) { database in
        if database.path.scope.first == "shared" { return }
        for zone in try DatabaseFolder.readable({ try database.zones() }) ?? [] {
          try body(ZonePath(database: database.path, zone: zone))
        }
      }
    }
  }
}
