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
      for database in try databases(of: container) {
        problems += try check(database, inspect)
      }
    }
    return problems
  }

  /// Every database folder that there is.
  package func databases(of container: ExactName) throws -> [DatabaseFolder] {
    guard let directory = try cloud.container(container, making: false) else { return [] }
    var result: [DatabaseFolder] = []
    for environment in try directory.entries() where environment.kind == .directory && environment.name != "shares" {
      let place = try directory.directory(environment.name)
      func add(_ scope: [String]) throws {
        let path = DatabasePath(container: container, environment: environment.name, scope: scope)
        if let folder = try DatabaseFolder(path, container: directory, making: false, limits: cloud.limits) {
          result.append(folder)
        }
      }
      if try place.exists("public") { try add(["public"]) }
      for scope in ["private", "shared"] {
        for entry in try place.directoryIfPresent(scope)?.entries() ?? [] where entry.kind == .directory {
          if let account = FileName.decode(entry.name) { try add([scope, account]) }
        }
      }
    }
    return result
  }

  private func check(
    _ database: DatabaseFolder, _ inspect: (ZonePath, ZoneView, ZoneChecker) throws -> [Problem]
  ) throws -> [Problem] {
    var (problems, mentioned) = try checkLog(of: database)
    // A shared database has pointers there, which the service knows.
    guard database.path.scope.first != "shared", let zones = try database.directory.directoryIfPresent("zones") else {
      return problems
    }
    problems += try checkMarks(zones)
    for entry in try zones.entries() where !entry.name.hasPrefix(".") {
      guard entry.kind == .directory, let name = try name(ofZone: entry.name, in: zones) else {
        problems.append(Problem(path: zones.path(of: entry.name), text: "not a zone's folder"))
        continue
      }
      let path = ZonePath(database: database.path, zone: name)
      progress(path)
      problems += try check(path, inspect)
      // No commit may go unmentioned: the zone's last change is not after its last mention, but for a new era's.
      guard let last = mentioned[name], let head = try? cloud.zone(path)?.read(patience, { try $0.head() }), last < head
      else { continue }
      problems.append(
        Problem(
          path: database.directory.path(of: LeafLog.fileName),
          text: "zone '\(name)' is at \(head), its last mention says \(last)"))
    }
    return problems
  }

  /// What deleted zones have left.
  private func checkMarks(_ zones: Directory) throws -> [Problem] {
    guard let marks = try zones.directoryIfPresent(DatabaseFolder.marks) else { return [] }
    return try marks.entries().filter { !DatabaseFolder.isMark($0, in: marks) }.map {
      Problem(path: marks.path(of: $0.name), text: "not the mark of a deleted zone")
    }
  }

  /// One zone. What keeps it from being read at all is a problem, too.
  package func check(
    _ path: ZonePath, _ inspect: (ZonePath, ZoneView, ZoneChecker) throws -> [Problem]
  ) throws -> [Problem] {
    do {
      guard let zone = try cloud.zone(path) else { return [] }
      return try zone.read(patience) { view in
        var checker = ZoneChecker(view)
        return try checker.run() + inspect(path, view, checker)
      }
    } catch StoreError.damaged(let path, let reason) {
      return [Problem(path: path, text: reason)]
    } catch StoreError.nameCollision(let path, let name) {
      return [Problem(path: path, text: "it holds something of another name than \(name)")]
    } catch StoreError.zoneMissing {
      return []
    }
  }

  private func name(ofZone file: String, in zones: Directory) throws -> ExactName? {
    if let name = FileName.decode(file) { return ExactName(name) }
    guard let bytes = try zones.directory(file).contents("zone.json") else { return nil }
    let name = (try? ZoneProperties.parse(bytes, path: file))?.name
    return name.flatMap { FileName.encode($0.string) == file ? $0 : nil }
  }

  // MARK: The database's log

  private func checkLog(of database: DatabaseFolder) throws -> ([Problem], mentioned: [ExactName: Int64]) {
    guard let bytes = try database.directory.contents(LeafLog.fileName) else { return ([], [:]) }
    let path = database.directory.path(of: LeafLog.fileName)
    let log = PlainLog(databaseLog: bytes)
    var problems = log.damage.map { Problem(path: path, text: $0) }
    var mentioned: [ExactName: Int64] = [:]
    var era: Int64 = 0
    for line in log.lines {
      guard let next = line.value["era"]?.integer, next >= era, let zone = line.value["zone"]?.string,
        line.value["boot"]?.string != nil
      else {
        problems.append(Problem(path: path, text: "the line of sequence \(line.sequence) is no mention of a zone"))
        continue
      }
      era = next
      mentioned[ExactName(zone)] = line.value["zoneSequence"]?.integer ?? .max
    }
    return (problems, mentioned)
  }
}
