import LocalCloudPlatform
import LocalCloudStorage

/// Checks the whole tree. Each zone's journal is applied first, as for any reader.
package struct CloudChecker {
  let cloud: Cloud
  let waitPolicy: LockWaitPolicy
  /// Called with each zone before it is checked.
  let progress: (ZonePath) -> Void

  package init(_ cloud: Cloud, _ waitPolicy: LockWaitPolicy, progress: @escaping (ZonePath) -> Void = { _ in }) {
    self.cloud = cloud
    self.waitPolicy = waitPolicy
    self.progress = progress
  }

  /// The rules of higher layers: for each record by itself, then for each zone that could be read, under its lock.
  package struct Rules {
    var record: (ZonePath, StoredRecord) -> ZoneChecker.Finding
    var zone: (ZonePath, ZoneView, ZoneChecker) throws -> [Problem]

    package init(
      record: @escaping (ZonePath, StoredRecord) -> ZoneChecker.Finding,
      zone: @escaping (ZonePath, ZoneView, ZoneChecker) throws -> [Problem]
    ) {
      (self.record, self.zone) = (record, zone)
    }
  }

  /// Checks the cloud.
  ///
  /// - Returns: the problems.
  package func run(_ rules: Rules) throws -> [Problem] {
    var problems: [Problem] = []
    for container in try cloud.containers() {
      try problems.noting {
        var problems: [Problem] = []
        var unread: [Problem] = []
        func recordUnread(_ error: SystemError) { unread.append(Problem(error)) }
        try cloud.forEachDatabase(of: container, passingOver: recordUnread) { database in
          try problems.noting { try check(database, rules) }
        }
        return problems + unread
      }
    }
    return problems
  }

  private func check(_ database: DatabaseFolder, _ rules: Rules) throws -> [Problem] {
    var (problems, mentioned) = try readLog(of: database)
    // The zones of a shared database are pointers; the service checks them.
    guard database.path.scope.first != "shared", try database.directory.kind(of: "zones") == .directory else {
      return problems
    }
    let zones = try database.directory.directory("zones")
    try problems.noting { try checkTombstones(in: zones) }
    for entry in try zones.entries() where !entry.name.hasPrefix(".") {
      try problems.noting {
        guard entry.kind == .directory, let name = try name(ofZone: entry.name, in: zones) else {
          return [Problem(path: zones.path(of: entry.name), text: "not a zone's folder")]
        }
        let path = ZonePath(database: database.path, zone: name)
        progress(path)
        let found = try check(path, rules)
        return found + (missingMention(of: path, in: database, mentioned).map { [$0] } ?? [])
      }
    }
    return problems
  }

  /// Every commit must be mentioned: the zone's last change must not be after its last mention. A mention of a new era
  /// covers everything.
  private func missingMention(
    of path: ZonePath, in database: DatabaseFolder, _ mentioned: [ExactName: Int64]
  ) -> Problem? {
    guard let last = mentioned[path.zone], let head = try? cloud.zone(path)?.read(waitPolicy, { try $0.head() }),
      // The mention of a concurrent commit was written before the commit, so the log is read again.
      last < head, let last = try? readLog(of: database).mentioned[path.zone], last < head
    else { return nil }
    return Problem(
      path: database.directory.path(of: DatabaseChangeLog.fileName),
      text: "zone '\(path.zone)' is at \(head), its last mention says \(last)")
  }

  /// The problem of the first zone with last changes that its database's log does not mention.
  package func firstMissingMention(in database: DatabaseFolder) throws -> Problem? {
    guard database.path.scope.first != "shared" else { return nil }
    let (_, mentioned) = try readLog(of: database)
    for zone in try database.zones() {
      let path = ZonePath(database: database.path, zone: zone)
      if let problem = missingMention(of: path, in: database, mentioned) { return problem }
    }
    return nil
  }

  /// Checks one zone. An error that prevents reading it is a problem, too.
  package func check(_ path: ZonePath, _ rules: Rules) throws -> [Problem] {
    do {
      guard let zone = try cloud.zone(path) else { return [] }
      let (problems, contents) = try zone.read(waitPolicy) { view in
        var checker = ZoneChecker(view)
        var problems = try checker.run { rules.record(path, $0) }
        // The inspection might report only consequences of unreadable files.
        if !checker.hasUnread { try problems.noting { try rules.zone(path, view, checker) } }
        return (problems, checker.contents)
      }
      return try problems + contents.compactMap(problem)
    } catch StorageError.damaged(let path, let reason) {
      return [Problem(path: path, text: reason)]
    } catch StorageError.nameCollision(let path, let name) {
      return [Problem(path: path, text: "it holds something of another name than \(name)")]
    } catch StoreError.zoneMissing {
      return []
    } catch let error as SystemError where !error.isStopped {
      return [Problem(error)]
    }
  }

  /// Checks an asset's bytes, without the zone's lock: an asset may be large.
  private func problem(_ content: AssetContent) throws -> Problem? {
    do { return try content.problem() } catch let error as SystemError where !error.isStopped {
      return Problem(error)
    }
  }

  /// Checks the tombstones of deleted zones: above all the last sequence, which no later zone of the same name may use
  /// again.
  private func checkTombstones(in zones: Directory) throws -> [Problem] {
    guard try zones.kind(of: DatabaseFolder.marks) == .directory else { return [] }
    let deleted = try zones.directory(DatabaseFolder.marks)
    var problems: [Problem] = []
    for entry in try deleted.entries() {
      try problems.noting {
        try DatabaseFolder.isMark(entry, in: deleted)
          ? []
          : [
            Problem(
              path: deleted.path(of: entry.name), text: "it does not say up to where the deleted zone counted")
          ]
      }
    }
    return problems
  }

  private func name(ofZone file: String, in zones: Directory) throws -> ExactName? {
    if let name = FileName.decode(file) { return ExactName(name) }
    guard let bytes = try zones.directory(file).contents("zone.json") else { return nil }
    let name = (try? ZoneProperties.parse(bytes, path: file))?.name
    return name.flatMap { FileName.encode($0.string) == file ? $0 : nil }
  }

  // MARK: The database's log

  private func readLog(of database: DatabaseFolder) throws -> ([Problem], mentioned: [ExactName: Int64]) {
    do { return try checkLog(of: database) } catch let error as SystemError where !error.isStopped {
      return ([Problem(error)], [:])
    }
  }

  private func checkLog(of database: DatabaseFolder) throws -> ([Problem], mentioned: [ExactName: Int64]) {
    let path = database.directory.path(of: DatabaseChangeLog.fileName)
    guard let bytes = try database.directory.contents(DatabaseChangeLog.fileName) else { return ([], [:]) }
    let log = IndependentLog(unjournalledLog: bytes)
    var problems = log.damage.map { Problem(path: path, text: $0) }
    var mentioned: [ExactName: Int64] = [:]
    var era: Int64 = 0
    for line in log.lines {
      guard let mention = IndependentMention(line.value), mention.era >= era else {
        problems.append(Problem(path: path, text: "the line of sequence \(line.sequence) is no mention of a zone"))
        continue
      }
      era = mention.era
      mentioned[mention.zone] = mention.zoneSequence ?? .max
    }
    return (problems, mentioned)
  }
}
