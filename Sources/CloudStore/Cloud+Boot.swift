import LocalCloudPlatform
import LocalCloudStorage

/// Recovery after a reboot that may have lost all unsynced data. Each zone's journal restores the zone's own files, and
/// also pointers, links and mentions outside the zone. So all journals are replayed before any file is read.
extension Cloud {
  /// Runs once per boot, in the process that opens the cloud first; later ones only read the boot marker.
  func recoverAfterBoot(_ waitPolicy: LockWaitPolicy) throws {
    let boot = Array(fileSystem.bootIdentifier.utf8)
    if try isRecovered(boot) { return }
    do {
      try lock.withExclusive(waitPolicy, isOpening: true) {
        if try isRecovered(boot) { return }
        try observer.recoverAfterBoot(in: root, limits)
        try forEachZone { try recover($0, waitPolicy) }
        try root.writeStaged(Self.bootName + ".new", boot)
        try root.rename(Self.bootName + ".new", to: root, as: Self.bootName)
      }
    } catch let error as SystemError where !error.isStopped {
      // A process that may only read, or has a full disk, reads each zone in the state of its files, or gets an error.
      // The same applies if the lock or the boot marker is an entry of another kind. The boot marker is not written, so
      // the next process tries again.
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

  /// Replays a zone's journal. A damaged zone must not block the others: a caller that uses it gets the error, and
  /// `check` reports it.
  private func recover(_ path: ZonePath, _ waitPolicy: LockWaitPolicy) throws {
    do {
      try zone(path)?.folder.recover(waitPolicy)
    } catch StoreError.zoneMissing {
    } catch StorageError.damaged, StorageError.nameCollision {
    } catch let error as SystemError where error.isForeign {
    }
  }

  /// Runs `body` for each zone, with one database open at a time. Skips shared databases, and databases with a damaged
  /// list of zones.
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
