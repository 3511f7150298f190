import LocalCloudPlatform
import LocalCloudStorage

extension DatabaseFolder {
  /// The names of the zones. A folder without an identifiable zone is set aside.
  package func zoneFolders(_ aside: Quarantine, _ done: inout [Problem]) throws -> [ExactName] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    var result: [ExactName] = []
    for entry in try zones.entries() where !entry.name.hasPrefix(".") {
      let name: ExactName?
      do { name = try entry.kind == .directory ? zoneName(entry.name, in: zones) : nil } catch let error as SystemError
        where error.leavesUnread
      {
        continue
      }
      if let name {
        result.append(name)
      } else {
        let moved = try aside.move(entry.name, in: zones)
        done.append(Problem(path: zones.path(of: entry.name), text: "no zone: it is in \(moved)"))
      }
    }
    return result
  }

  /// The zone's name, from the folder's name, otherwise from its properties or one of its records.
  private func zoneName(_ folder: String, in zones: Directory) throws -> ExactName? {
    if let name = FileName.decode(folder) { return ExactName(name) }
    let zone = try zones.directory(folder)
    // Any of these files suffices. If none does, one that can't be read may hold the name.
    var unread: SystemError?
    func name(_ file: String, in directory: Directory) throws -> ExactName? {
      do {
        let object = try Self.readable { try directory.object(at: [file]) }
        guard let name = object?["zoneID"]?["zoneName"]?.string, FileName.encode(name) == folder else { return nil }
        return ExactName(name)
      } catch let error as SystemError where error.leavesUnread {
        unread = error
        return nil
      }
    }
    if let name = try name("zone.json", in: zone) { return name }
    if let records = try zone.directoryIfPresent("records") {
      for entry in try records.entries().prefix(8) {
        if let name = try name(entry.name, in: records) { return name }
      }
    }
    if let unread { throw unread }
    return nil
  }

  /// The names of the files among the pointers of a shared database, without dot files.
  package func pointerFiles() throws -> [String] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    return try zones.entries().map(\.name).filter { !$0.hasPrefix(".") }
  }

  /// A pointer's contents. The outer value is nil if the file does not exist, the inner one if it is not a JSON object.
  package func pointerFile(_ file: String) throws -> JSONObject?? {
    guard let zones = try directory.directoryIfPresent("zones"), try zones.exists(file) else { return nil }
    return .some(try Self.readable { try zones.object(at: [file]) })
  }

  /// Replaces each tombstone without a sequence by one with a sequence that the zone never reached.
  package func repairTombstones(_ aside: Quarantine) throws -> [Problem] {
    guard let deleted = try directory.directory(at: ["zones", Self.marks]) else { return [] }
    let broken = try deleted.entries().filter { entry in
      do { return try !Self.isMark(entry, in: deleted) } catch let error as SystemError where error.leavesUnread {
        return false
      }
    }
    return try broken.map { entry in
      let path = deleted.path(of: entry.name)
      let moved = try aside.move(entry.name, in: deleted)
      guard entry.name.hasSuffix(".json"), let name = FileName.decode(String(entry.name.dropLast(".json".count))) else {
        return Problem(path: path, text: "no deleted zone's marker: it is in \(moved)")
      }
      let marker: JSONObject = [
        "reason": "deleted", "sequence": .integer(systemTimeMilliseconds()), "zoneID": ["zoneName": .string(name)],
      ]
      try deleted.writeStaged(entry.name, JSONValue.object(marker).pretty())
      try deleted.file(entry.name, .readWrite).sync()
      try deleted.sync()
      return Problem(path: path, text: "made anew; the old one is in \(moved)")
    }
  }

  /// Sets aside a log that can't be read. A new one mentions every zone, in an era above all earlier ones.
  ///
  /// A log that lacks mentions is replaced, too, even if they are missing only at its end: a continued log would use
  /// its sequences twice.
  package func repairLog(_ aside: Quarantine, lacking: Problem?, _ waitPolicy: LockWaitPolicy) throws -> [Problem] {
    guard let bytes = try directory.contents(DatabaseChangeLog.fileName) else { return [] }
    let plain = IndependentLog(unjournalledLog: bytes)
    let eras = plain.lines.compactMap { $0.value["era"]?.integer }
    let isSound =
      plain.lines.allSatisfy { IndependentMention($0.value) != nil }
      && zip(eras, eras.dropFirst()).allSatisfy { $0 <= $1 }
    guard !plain.damage.isEmpty || !isSound || lacking != nil else { return [] }
    let moved = try aside.move(DatabaseChangeLog.fileName, in: directory)
    try log.begin(
      above: eras.filter { (0..<1 << 50).contains($0) }.max() ?? systemTimeMilliseconds(), all: mentionable(),
      waitPolicy)
    return [
      Problem(
        path: directory.path(of: DatabaseChangeLog.fileName),
        text: (plain.damage.first ?? lacking?.text ?? "its lines are no mentions of zones in order")
          + ": begun anew; the old one is in \(moved)")
    ]
  }
}
