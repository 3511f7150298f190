import LocalCloudPlatform
import LocalCloudStorage

extension ZoneStore {
  /// Makes a zone's files consistent; returns the completed repairs. `finish` then repairs the shares in the
  /// transaction, and the transaction is committed after it.
  package func repair(
    _ aside: Quarantine, history: String, fallback: ZoneProperties, _ waitPolicy: LockWaitPolicy,
    finish: (ZoneTransaction) throws -> [Problem]
  ) throws -> [Problem] {
    try folder.withCommitLock(waitPolicy) {
      var repair = ZoneRepair(self, aside, waitPolicy, history: history, fallback: fallback)
      let differences = try repair.run()
      var done = repair.done
      done += try report(differences, aside, waitPolicy)
      let transaction = try ZoneTransaction(repairView())
      done += try keeping(aside, transaction) {
        let finished = try finish(transaction)
        try transaction.commitMentioning(waitPolicy)
        return finished
      }
      return done
    }
  }

  /// Runs `body`, which commits and returns its repairs. Stores copies of the files that the commit overwrites or
  /// removes ([repair-1]).
  private func keeping(
    _ aside: Quarantine, _ transaction: ZoneTransaction, _ body: () throws -> [Problem]
  ) throws -> [Problem] {
    var copies: [FormerFile] = []
    transaction.whenPlanned = { copies = try self.keepFormer(of: $0, aside) }
    defer { transaction.whenPlanned = nil }
    var done = try body()
    for former in copies {
      if let index = done.firstIndex(where: { $0.path == former.path }) {
        done[index].text += "; what was there is in \(former.folder)"
      } else {
        done.append(former.problem)
      }
    }
    return done
  }

  /// A file that was copied before it was rewritten or removed.
  struct FormerFile {
    var path: String
    /// The folder in the root below which the copy has the file's path.
    var folder: String

    var problem: Problem { Problem(path: path, text: "made to fit; what was there is in \(folder)") }
  }

  /// Copies the files that an entry replaces or removes. The copies are durable when this returns.
  func keepFormer(of entry: JournalEntry, _ aside: Quarantine) throws -> [FormerFile] {
    var result: [FormerFile] = []
    for effect in entry.effects {
      let (path, bytes): (StorePath, [UInt8]?)
      switch effect {
      case .replace(let replaced, let contents): (path, bytes) = (replaced, contents)
      case .remove(let removed): (path, bytes) = (removed, nil)
      case .append, .compact, .move, .removeFolder: continue
      }
      let (folder, name) = try files.location(of: path)
      guard try folder.exists(name) else { continue }
      // A file that can't be read can't be copied, and must stay: nothing is committed then.
      if let bytes, try folder.contents(name) == bytes { continue }
      result.append(FormerFile(path: folder.path(of: name), folder: try aside.copy(name, in: folder)))
    }
    if !result.isEmpty { try journal.file.syncFileSystem() }
    return result
  }

  /// Moves a key's file aside; returns the folder in the root below which it now has its path.
  package func setKeyAside(_ path: StorePath, _ aside: Quarantine) throws -> String {
    let (folder, name) = try files.location(of: path)
    return try aside.move(name, in: folder)
  }

  /// Records the differences in the log, in commits of ordinary size.
  private func report(_ differences: ZoneDifferences, _ aside: Quarantine, _ waitPolicy: LockWaitPolicy) throws
    -> [Problem]
  {
    var done: [Problem] = []
    let properties = try properties()
    for part in differences.changed.chunks(of: 400) {
      let transaction = try ZoneTransaction(repairView())
      done += try keeping(aside, transaction) {
        var reported: [Problem] = []
        for (name, reason) in part {
          guard let record = try transaction.record(name) else { continue }
          try transaction.put(record.placed(in: properties))
          reported.append(
            Problem(path: records.path(of: FileName.document(name.string)), text: "\(reason): taken as a change"))
        }
        try transaction.commit(waitPolicy)
        return reported
      }
    }
    let transaction = try ZoneTransaction(repairView())
    for line in differences.lost {
      transaction.recordLoss(of: line)
      done.append(
        Problem(
          path: records.path(of: FileName.document(line.record.string)),
          text: "the record '\(line.record)' is lost: its deletion is now in the log"))
    }
    try transaction.commit(waitPolicy)
    return done
  }
}

extension Cloud {
  /// Restores the folders and empty files that are required to open a zone.
  package func restoreZoneFolders(_ path: ZonePath) throws {
    guard let database = try database(path.database),
      let zone = try database.directory.directory(at: ["zones", path.fileName])
    else { return }
    try ZoneStore.restoreFolders(in: zone)
  }
}
