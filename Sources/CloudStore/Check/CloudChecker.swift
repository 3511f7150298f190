import Platform

/// Walks the whole tree. Zones are brought up to their journals first, as any reader would.
package struct CloudChecker {
  let cloud: Cloud
  let patience: LockPatience
  /// Called with each zone before it is checked.
  let progress: (ZonePath) -> Void

  package init(_ cloud: Cloud, _ patience: LockPatience, progress: @escaping (ZonePath) -> Void = { _ in }) {
    self.cloud = cloud
    self.patience = patience
    self.progress = progress
  }

  /// `zone` is called with each zone that could be read, under its lock, for the rules of higher floors.
  package func run(zone inspect: (ZonePath, ZoneView, ZoneChecker) throws -> [Problem]) throws -> [Problem] {
    var problems: [Problem] = []
    for container in try cloud.containers() {
      try cloud.forEachDatabase(of: container) { problems += try check($0, inspect) }
    }
    return problems
  }

  private func check(
    _ database: DatabaseFolder, _ inspect: (ZonePath, ZoneView, ZoneChecker) throws -> [Problem]
  ) throws -> [Problem] {
    var (problems, mentioned) = try readLog(of: database)
    // A shared database has pointers there, which the service knows.
    guard database.path.scope.first != "shared", try database.directory.kind(of: "zones") == .directory else {
      return problems
    }
    let zones = try database.directory.directory("zones")
    problems += checkTombstones(in: zones)
    for entry in try zones.entries() where !entry.name.hasPrefix(".") {
      guard entry.kind == .directory, let name = try name(ofZone: entry.name, in: zones) else {
        problems.append(Problem(path: zones.path(of: entry.name), text: "not a zone's folder"))
        continue
      }
      let path = ZonePath(database: database.path, zone: name)
      progress(path)
      problems += try check(path, inspect)
      if let problem = missingMention(of: path, in: database, mentioned) { problems.append(problem) }
    }
    return problems
  }

  /// No commit may go unmentioned: the zone's last change is not after its last mention, but for a new era's.
  private func missingMention(
    of path: ZonePath, in database: DatabaseFolder, _ mentioned: [ExactName: Int64]
  ) -> Problem? {
    guard let last = mentioned[path.zone], let head = try? cloud.zone(path)?.read(patience, { try $0.head() }),
      // A commit that came meanwhile was mentioned before.
      last < head, let last = try? readLog(of: database).mentioned[path.zone], last < head
    else { return nil }
    return Problem(
      path: database.directory.path(of: LeafLog.fileName),
      text: "zone '\(path.zone)' is at \(head), its last mention says \(last)")
  }

  /// The first zone whose last changes its database's log does not mention.
  package func firstMissingMention(in database: DatabaseFolder) throws -> Problem? {
    guard database.path.scope.first != "shared" else { return nil }
    let (_, mentioned) = try readLog(of: database)
    for zone in try database.zones() {
      let path = ZonePath(database: database.path, zone: zone)
      if let problem = missingMention(of: path, in: database, mentioned) { return problem }
    }
    return nil
  }

  /// One zone. What keeps it from being read at all is a problem, too.
  package func check(
    _ path: ZonePath, _ inspect: (ZonePath, ZoneView, ZoneChecker) throws -> [Problem]
  ) throws -> [Problem] {
    do {
      guard let zone = try cloud.zone(path) else { return [] }
      let (problems, contents) = try zone.read(patience) { view in
        var checker = ZoneChecker(view)
        return (try checker.run() + inspect(path, view, checker), checker.contents)
      }
      return try problems + contents.compactMap(problem)
    } catch StoreError.damaged(let path, let reason) {
      return [Problem(path: path, text: reason)]
    } catch StoreError.nameCollision(let path, let name) {
      return [Problem(path: path, text: "it holds something of another name than \(name)")]
    } catch StoreError.zoneMissing {
      return []
    } catch let error as SystemError where !error.isStopped {
      return [Problem(path: error.path, text: error.reason)]
    }
  }

  /// Comes without the zone's lock: an asset may be large.
  private func problem(_ content: AssetContent) throws -> Problem? {
    do { return try content.problem() } catch let error as SystemError where !error.isStopped {
      return Problem(path: error.path, text: error.reason)
    }
  }

  /// What a deleted zone leaves behind: above all its last sequence, which no later zone of its name may use again.
  private func checkTombstones(in zones: Directory) -> [Problem] {
    guard let deleted = try? zones.directory(DatabaseFolder.marks), let entries = try? deleted.entries() else {
      return []
    }
    return entries.filter { !DatabaseFolder.isMark($0, in: deleted) }.map {
      Problem(path: deleted.path(of: $0.name), text: "it does not say up to where the deleted zone counted")
    }
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
      return ([Problem(path: error.path, text: error.reason)], [:])
    }
  }

  private func checkLog(of database: DatabaseFolder) throws -> ([Problem], mentioned: [ExactName: Int64]) {
    let path = database.directory.path(of: LeafLog.fileName)
    guard let bytes = try database.directory.contents(LeafLog.fileName) else { return ([], [:]) }
    let log = PlainLog(databaseLog: bytes)
    var problems = log.damage.map { Problem(path: path, text: $0) }
    var mentioned: [ExactName: Int64] = [:]
    var era: Int64 = 0
    for line in log.lines {
      guard let mention = PlainMention(line.value), mention.era >= era else {
        problems.append(Problem(path: path, text: "the line of sequence \(line.sequence) is no mention of a zone"))
        continue
      }
      era = mention.era
      mentioned[mention.zone] = mention.zoneSequence ?? .max
    }
    return (problems, mentioned)
  }
}
