import CloudService
import CloudStore
import Platform

/// One harmed file, and everything that may be asked of the cloud then.
struct HostileCase {
  let stage: HostileStage
  let number: Int
  let harm: HostileHarm
  let otherBoot: Bool
  private let writes: Bool
  /// Feeds and queries take longest, and depend least on which case it is.
  private let asks: Bool
  private(set) var problems: [String] = []
  /// Saved and acknowledged while the file was as it is now.
  private var acknowledged: [HostileTruth.Place] = []

  init(_ stage: HostileStage, number: Int, seed: UInt64, allowsDenied: Bool) {
    self.stage = stage
    self.number = number
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    harm = HostileHarm(stage, allowsDenied: allowsDenied, &random)
    otherBoot = Int.random(in: 0..<4, using: &random) == 0
    writes = Bool.random(using: &random)
    asks = Int.random(in: 0..<3, using: &random) == 0
  }

  private var file: HostileFile { harm.file }

  var text: String {
    "\(file.kind.rawValue) \(harm.mutation.rawValue) of \(file.text)"
      + (otherBoot ? ", after a boot" : "") + (writes ? ", with saves" : "")
  }

  mutating func run() throws {
    let root = MemoryFolder.newPath("hostile")
    try stage.image.write(to: root)
    defer { try? TemporaryCloud.remove(root) }
    try harm.apply(to: root)
    try meet(root)
    if let problem = harm.problemOutside(root) { problems.append(problem) }
  }

  private mutating func meet(_ root: String) throws {
    guard let service = try open(root) else { return try mend(root) }
    look(service, "before repair")
    lookAtAssets(service, "before repair")
    if asks { ask(service) }
    if writes { save(service) }
    let found = check(service)
    let left = repair(service)
    if found == [], let left, !left.isEmpty { problems.append("repair finds what check does not: \(left)") }
    guard let repaired = try open(root) else { return }
    look(repaired, "after repair", isRepaired: true)
    lookAtAssets(repaired, "after repair", isRepaired: true)
    expectAcknowledged(repaired)
    if file.kind == .account { try mend(root) }
  }

  // MARK: Opening

  private mutating func open(_ root: String) throws -> CloudService? {
    var settings = CloudService.Settings()
    settings.lockTimeout = 5
    let boot = otherBoot ? "another boot" : HostProcess.bootIdentifier
    do {
      return try CloudService.open(root: root, settings: settings, fileSystem: FileSystem(bootIdentifier: boot))
    } catch {
      note(error, "open")
      if file.kind != .marker { problems.append("open: \(error.message)") }
      return nil
    }
  }

  /// What only a person can mend: with the file as it was, everything is there.
  private mutating func mend(_ root: String) throws {
    try harm.undo(stage, in: root)
    guard let service = try open(root) else { return problems.append("it does not open when it is mended") }
    if let left = repair(service), !left.isEmpty { problems.append("left when it is mended: \(left.prefix(3))") }
    look(service, "when it is mended", isMended: true)
  }

  // MARK: Reading

  private mutating func look(
    _ service: CloudService, _ when: String, isRepaired: Bool = false, isMended: Bool = false
  ) {
    for (place, records) in stage.truth.records {
      let names = records.keys.sorted()
      let request = FetchRecordsRequest(
        scope: place.scope, records: names.map { RecordIdentifier(name: $0, zone: place.zone) })
      let answers: [Result<Record, ServiceError>]
      do { answers = try service.fetchRecords(request, by: HostileTruth.caller(place.account)) } catch {
        answers = names.map { _ in .failure(error) }
      }
      for (name, answer) in zip(names, answers) {
        if case .failure(let error) = answer { note(error, "\(when), \(name)") }
        if !isMended, mayDiffer(place, name, isRepaired: isRepaired) { continue }
        switch answer {
        case .failure(let error):
          problems.append("\(when): \(place.account) can't read '\(name)' of \(place.folder): \(error.message)")
        case .success(let record):
          let entry = HostileTruth.Entry(record)
          if entry != records[name], record.type != Record.shareType, !isOrphan(name, place, isRepaired) {
            problems.append("\(when): \(place.account) reads another '\(name)' of \(place.folder)")
          }
        }
      }
    }
  }

  /// Whoever gets an asset's bytes gets all of them, and as they were saved.
  private mutating func lookAtAssets(_ service: CloudService, _ when: String, isRepaired: Bool = false) {
    for (place, records) in stage.truth.records {
      let names = records.keys.sorted()
      let request = FetchRecordsRequest(
        scope: place.scope, records: names.map { RecordIdentifier(name: $0, zone: place.zone) },
        desiredKeys: ["picture"], withAssets: true)
      guard let answers = try? service.fetchRecords(request, by: HostileTruth.caller(place.account)) else { continue }
      for (name, answer) in zip(names, answers) {
        guard case .success(let record) = answer, let asset = record.fields["picture"]?.assets.first else { continue }
        do throws(ServiceError) {
          let bytes = try asset.bytes()
          if asset.name.flatMap({ stage.truth.contents[$0] }) != bytes {
            problems.append("\(when): \(place.account) gets other bytes of '\(name)' in \(place.folder)")
          }
        } catch {
          note(error, "\(when), the asset of \(name)")
          let isIt = file.kind == .asset && file.zone == place.folder
          if !isIt, !mayDiffer(place, name, isRepaired: isRepaired) {
            problems.append("\(when): \(place.account) can't read the asset of '\(name)': \(error.message)")
          }
        }
      }
    }
  }

  /// After a boot the journal can't put its file where a folder is; whoever needs the zone is told so.
  private var isInTheWay: Bool { otherBoot && harm.mutation == .folder }

  /// A record whose parent was lost has none.
  private func isOrphan(_ name: ExactName, _ place: HostileTruth.Place, _ isRepaired: Bool) -> Bool {
    isRepaired && file.kind == .record && file.zone == place.folder
  }

  /// Whether the harmed file is one that this answer depends on.
  private func mayDiffer(_ place: HostileTruth.Place, _ name: ExactName, isRepaired: Bool) -> Bool {
    let isInZone = file.zone == place.folder
    // Who may read a file is a person's to say; repair leaves it as it is.
    let isRepaired = isRepaired && harm.mutation != .denied
    if harm.mutation == .denied, otherBoot, isInZone || file.kind == .databaseLog || file.kind == .tombstone {
      return true
    }
    switch file.kind {
    case .marker: return true
    case .account:
      // A guest's rights hang on both accounts.
      return file.name == "\(place.account).json" || place.scope == .shared
    case .record:
      guard isInZone else { return false }
      let isIt = file.name == FileName.document(name.string)
      return isIt || place.scope == .shared || isInTheWay && !isRepaired
    // Nobody can make a key anew.
    case .key: return isInZone
    case .keychain: return place.folder.hasSuffix(HostileStage.sealedZone)
    case .zoneProperties, .zoneLock: return isInZone && !isRepaired
    case .pointer where otherBoot && !isRepaired && harm.mutation == .denied: return true
    case .journal:
      // What bears a right checksum was committed, for all that anybody can tell; another zone's journal may hold
      // anybody's links. After a boot a broken last entry is one that was never whole.
      if harm.mutation == .sibling, otherBoot { return true }
      return isInZone && (!isRepaired || harm.mutation == .signed || otherBoot && place.scope == .shared)
    case .link: return isInTheWay && !isRepaired
    case .pointer: return (place.scope == .shared || isInTheWay) && !isRepaired
    case .rootLock: return otherBoot && !isRepaired
    case .zoneLog, .shareLog:
      // Where a boot came between, the journal has to be applied to the log first.
      return isInZone && !isRepaired && (otherBoot || place.scope == .shared)
    case .boot, .folderLock, .device, .databaseLog, .tombstone, .index, .asset, .upload:
      return place.scope == .shared && !isRepaired && isInZone
    }
  }

  /// Feeds and queries: any answer, but an answer.
  private mutating func ask(_ service: CloudService) {
    for (place, _) in stage.truth.records {
      let caller = HostileTruth.caller(place.account)
      answer("feed") { try service.zoneChanges(ZoneChangesRequest(scope: place.scope, zone: place.zone), by: caller) }
      answer("zones") { try service.databaseChanges(DatabaseChangesRequest(scope: place.scope), by: caller) }
      let query = QueryRecordsRequest(scope: place.scope, zone: place.zone, recordType: "Item")
      answer("query") { try service.queryRecords(query, by: caller) }
    }
    answer("accounts") { try service.accounts() }
    answer("contents") { try service.contents() }
    answer("inbox") {
      let inbox = try service.inbox(of: HostileTruth.caller("carol"))
      return try inbox.names().map { try inbox.hold($0)?.object }
    }
    askForOperations(service)
  }

  private mutating func askForOperations(_ service: CloudService) {
    let caller = HostileTruth.caller("carol")
    answer("operations") { try service.operationIDs(by: caller) }
    for id in ["00000000000000C0", "00000000000000C1"] {
      answer("operation") { try service.keptOperation(id, by: caller)?.content }
      answer("operation's answers") { try service.holdOperation(id, by: caller)?.answers?.content }
    }
  }

  private mutating func answer(_ what: String, _ body: () throws -> some Any) {
    do { _ = try body() } catch { note(ServiceError(describing: error), what) }
  }

  /// Every error says something that a person can go by.
  private mutating func note(_ error: ServiceError, _ what: String) {
    if error.message.hasPrefix("unexpected error") { problems.append("\(what): \(error.message)") }
    guard error.cause == .damage || error.cause == .storage else { return }
    if error.code == .quotaExceeded || error.path == nil && !error.message.contains("The record") {
      problems.append("\(what): not clear: \(error.code) \(error.message)")
    }
  }

  // MARK: Writing

  private static let newName = ExactName("new")

  private mutating func save(_ service: CloudService) {
    for (place, _) in stage.truth.records where place.scope == .private {
      let id = RecordIdentifier(name: Self.newName, zone: place.zone)
      let save = RecordSave(id: id, type: "Item", fields: ["text": .string("new")])
      do {
        _ = try service.modifyRecords(
          ModifyRecordsRequest(scope: .private, saves: [save]), by: HostileTruth.caller(place.account)
        ).saves[0].get()
        acknowledged.append(place)
      } catch {
        let error = ServiceError(describing: error)
        note(error, "save in \(place.folder)")
        // Other people's zones have nothing to do with it.
        let concerns =
          file.zone == place.folder || file.zone == nil && file.text.contains(place.account) || file.kind == .rootLock
          || isInTheWay
          || harm.mutation == .denied && file.kind == .databaseLog
        if !concerns { problems.append("save in \(place.folder): \(error.message)") }
      }
    }
  }

  private mutating func expectAcknowledged(_ service: CloudService) {
    for place in acknowledged where !mayDiffer(place, Self.newName, isRepaired: true) {
      let id = RecordIdentifier(name: Self.newName, zone: place.zone)
      let found = try? service.fetchRecords(
        FetchRecordsRequest(scope: .private, records: [id]), by: HostileTruth.caller(place.account))[0].get()
      if found?.fields["text"] != .string("new") { problems.append("what was saved in \(place.folder) is not there") }
    }
  }

  // MARK: Check and repair

  private mutating func check(_ service: CloudService) -> [Problem]? {
    do {
      let found = try service.check()
      let mustShow =
        [.record, .asset].contains(file.kind) && harm.bytes != file.bytes(in: stage.image) && !otherBoot
        || harm.bytes == nil && !(file.kind == .zoneLock && harm.mutation == .sparse) && harm.mutation != .remove
          && ![.boot, .index, .upload].contains(file.kind) && !otherBoot
      if found.isEmpty, mustShow { problems.append("check finds nothing") }
      return found
    } catch {
      problems.append("check fails: \(error.message)")
      return nil
    }
  }

  /// An account is its owner's to mend, as are records that no longer are what they were.
  private func isForPeople(_ problem: Problem) -> Bool {
    // Of what may not be read nobody can tell more.
    if harm.mutation == .denied { return true }
    // What bears a right checksum counts as committed, whoever wrote it.
    if file.kind == .journal, [.signed, .sibling].contains(harm.mutation) { return true }
    return switch file.kind {
    case .account: true
    // Only people have the bytes.
    case .asset: problem.text.hasSuffix("is missing")
    case .key: problem.text.contains("no key leads to")
    case .record: problem.path.hasSuffix(file.text) || problem.text.contains("root")
    default: false
    }
  }

  /// What is left; nil if it failed.
  private mutating func repair(_ service: CloudService) -> [Problem]? {
    do {
      let report = try service.repair()
      let left = report.left.filter { !isForPeople($0) }
      if !left.isEmpty { problems.append("repair leaves \(left.prefix(3).map { "\($0.path): \($0.text)" })") }
      return report.left
    } catch {
      problems.append("repair fails: \(error.message)")
      return nil
    }
  }
}
