import Platform
import Storage

extension DatabaseFolder {
  /// The zones there are; a folder that can't be told which zone it is goes aside.
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

  /// By the folder's name, else by what its properties or any of its records say.
  private func zoneName(_ folder: String, in zones: Directory) throws -> ExactName? {
    if let name = FileName.decode(folder) { return ExactName(name) }
    let zone = try zones.directory(folder)
    // Any of them will do; where none does, one that can't be read may be the one that would.
    var unread: SystemError?
    func name(_ file: String, in place: Directory) throws -> ExactName? {
      do {
        let object = try Self.readable { try place.object(at: [file]) }
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

  /// What lies among the pointers of a shared database.
  package func pointerFiles() throws -> [String] {
    guard let zones = try directory.directoryIfPresent("zones") else { return [] }
    return try zones.entries().map(\.name).filter { !$0.hasPrefix(".") }
  }

  /// Nil where there is no such file; nil in it for one that is no JSON object.
  package func pointerFile(_ file: String) throws -> JSONObject?? {
    guard let zones = try directory.directoryIfPresent("zones"), try zones.exists(file) else { return nil }
    return .some(try Self.readable { try zones.object(at: [file]) })
  }

  /// A deleted zone's marker that does not tell its sequence is made anew, with one that the zone never came to.
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

  /// A log that can't be read goes aside; a new one mentions every zone, in an era above all that were.
  ///
  /// So does one that lacks mentions, if only at its end: going on from there would use its sequences twice.
  package func repairLog(_ aside: Quarantine, lacking: Problem?, _ patience: LockWaitPolicy) throws -> [Problem] {
    guard let bytes = try directory.contents(DatabaseChangeLog.fileName) else { return [] }
    let plain = IndependentLog(unjournalledLog: bytes)
    let eras = plain.lines.compactMap { $0.value["era"]?.integer }
    let isSound =
      plain.lines.allSatisfy { IndependentMention($0.value) != nil }
      && zip(eras, eras.dropFirst()).allSatisfy { $0 <= $1 }
    guard !plain.damage.isEmpty || !isSound || lacking != nil else { return [] }
    let moved = try aside.move(DatabaseChangeLog.fileName, in: directory)
    try log.begin(
      above: eras.filter { (0..<1 << 50).contains($0) }.max() ?? systemTimeMilliseconds(), all: mentionable(), patience)
    return [
      Problem(
        path: directory.path(of: DatabaseChangeLog.fileName),
        text: (plain.damage.first ?? lacking?.text ?? "its lines are no mentions of zones in order")
          + ": begun anew; the old one is in \(moved)")
    ]
  }
}
