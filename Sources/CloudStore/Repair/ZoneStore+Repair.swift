import Platform

extension ZoneStore {
  /// Makes a zone's files fit each other; answers what was done. `finish` then brings the shares in order, and commits.
  package func repair(
    _ aside: SetAside, history: String, fallback: ZoneProperties, _ patience: LockPatience,
    finish: (ZoneTransaction) throws -> [Problem]
  ) throws -> [Problem] {
    try alone(patience) {
      var repair = ZoneRepair(self, aside, patience, history: history, fallback: fallback)
      let differences = try repair.run()
      var done = repair.done
      done += try tell(differences, patience)
      let transaction = try ZoneTransaction(ZoneView(self, hasTurn: true))
      done += try finish(transaction)
      try transaction.commitMentioning(patience)
      return done
    }
  }

  /// Takes a key's file away; answers the folder in the root under whose like path it is now.
  package func setKeyAside(_ path: FilePath, _ aside: SetAside) throws -> String {
    let (folder, name) = try place(of: path)
    return try aside.move(name, in: folder)
  }

  /// Brings the log up to the records, in commits of ordinary size.
  private func tell(_ differences: ZoneDifferences, _ patience: LockPatience) throws -> [Problem] {
    var done: [Problem] = []
    for start in stride(from: 0, to: differences.changed.count, by: 400) {
      let transaction = try ZoneTransaction(ZoneView(self, hasTurn: true))
      for name in differences.changed[start..<min(start + 400, differences.changed.count)] {
        guard let record = try transaction.record(name) else { continue }
        try transaction.put(record)
        done.append(
          Problem(
            path: records.path(of: FileName.document(name.string)),
            text: "the log did not know it so: taken as a change"))
      }
      try transaction.commit(patience)
    }
    let transaction = try ZoneTransaction(ZoneView(self, hasTurn: true))
    for line in differences.lost {
      transaction.recordLoss(of: line)
      done.append(
        Problem(
          path: records.path(of: FileName.document(line.record.string)),
          text: "the record '\(line.record)' is lost: its deletion is now in the log"))
    }
    try transaction.commit(patience)
    return done
  }
}

extension Cloud {
  /// Folders and empty files that a zone can't be opened without.
  package func restoreZoneFolders(_ path: ZonePath) throws {
    guard let database = try database(path.database),
      let zone = try database.directory.directory(at: ["zones", path.fileName])
    else { return }
    for folder in [".index", ".journal", "records", "shares"] { try zone.makeDirectory(folder) }
    let journal = try zone.directory(".journal")
    try journal.makeDirectory("staged")
    if !(try journal.exists(ZoneStore.journalName)) {
      try journal.writeStaged(ZoneStore.journalName, JournalHeader(boot: JournalHeader.noBoot).bytes)
    }
    _ = try journal.createFile(ZoneStore.gateName)
    _ = try zone.createFile(ZoneStore.lockName)
  }
}
