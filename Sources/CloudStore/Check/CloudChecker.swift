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
        if let folder = try DatabaseFolder(path, container: directory, making: false) { result.append(folder) }
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
    var problems = try checkLog(of: database)
    guard let zones = try database.directory.directoryIfPresent("zones") else { return problems }
    for entry in try zones.entries() where entry.kind == .directory && !entry.name.hasPrefix(".") {
      guard let name = try name(ofZone: entry.name, in: zones) else {
        problems.append(Problem(path: zones.path(of: entry.name), text: "not a zone's folder"))
        continue
      }
      let path = ZonePath(database: database.path, zone: name)
      progress(path)
      do {
        guard let zone = try cloud.zone(path) else { continue }
        problems += try zone.read(patience) { view in
          var checker = ZoneChecker(view)
          let found = try checker.run()
          return try found + checkMentions(of: path, head: view.head(), in: database) + inspect(path, view, checker)
        }
      } catch StoreError.damaged(let path, let reason) {
        problems.append(Problem(path: path, text: reason))
      } catch StoreError.zoneMissing {
        continue
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

  private func checkLog(of database: DatabaseFolder) throws -> [Problem] {
    guard let log = try LogFile.open(LeafLog.fileName, in: database.directory) else { return [] }
    var problems: [Problem] = []
    var (sequence, era) = (Int64(0), Int64(0))
    do {
      let horizon = try log.header().horizon
      try log.forEach(after: .min) { line in
        sequence = line.sequence <= horizon ? max(sequence + 1, line.sequence) : max(sequence, horizon) + 1
        let lineEra = line.value["era"]?.integer ?? 0
        if line.sequence != sequence || lineEra < era {
          problems.append(
            Problem(path: log.file.path, text: "sequence \(line.sequence) of era \(lineEra) where \(sequence) belongs"))
          sequence = line.sequence
        }
        era = lineEra
        return true
      }
    } catch StoreError.damaged(let path, let reason) {
      problems.append(Problem(path: path, text: reason))
    }
    return problems
  }

  /// No commit may go unmentioned: the zone's last change is not after its last mention, but for a new era's.
  private func checkMentions(of zone: ZonePath, head: Int64, in database: DatabaseFolder) throws -> [Problem] {
    guard let log = try LogFile.open(LeafLog.fileName, in: database.directory) else { return [] }
    var last: Int64?
    try log.forEach(after: .min) { line in
      if let name = line.value["zone"]?.string, ExactName(name) == zone.zone {
        last = line.value["zoneSequence"]?.integer ?? .max
      }
      return true
    }
    guard let last, last < head else { return [] }
    return [Problem(path: log.file.path, text: "zone '\(zone.zone)' is at \(head), its last mention says \(last)")]
  }
}
