import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// One harmed file, and all requests that are made to the cloud with it.
struct CorruptionCase {
  let stage: CorruptionStage
  let harm: CorruptionHarm
  let otherBoot: Bool
  private let writes: Bool
  /// Whether to check before reading, because a read may mend the harm.
  private let checksFirst: Bool
  var problems: [String] = []
  /// Zones with a save that was acknowledged while the file was harmed.
  private var acknowledged: [CorruptionTruth.Zone] = []

  init(_ stage: CorruptionStage, number: Int, seed: UInt64) {
    self.stage = stage
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    harm = CorruptionHarm(stage, &random)
    otherBoot = Int.random(in: 0..<4, using: &random) == 0
    writes = Bool.random(using: &random)
    checksFirst = Bool.random(using: &random)
  }

  var file: CorruptionFile { harm.file }

  var text: String {
    "\(file.kind.rawValue) \(harm.mutation.rawValue) of \(file.text)"
      + (otherBoot ? ", after a boot" : "") + (writes ? ", with saves" : "")
  }

  /// Does nothing if the file is not changed.
  mutating func run() throws {
    guard harm.isChanged else { return }
    let root = MemoryFolder.newPath("corruption")
    try stage.image.write(to: root)
    defer { try? ScratchFolder.remove(root) }
    try harm.apply(to: root)
    if let service = open(root) {
      var found = try checksFirst ? check(service, root) : nil
      read(service, "before repair")
      use(service)
      if writes { save(service) }
      if !checksFirst { found = try check(service, root) }
      let reported = try repair(service, root)
      if found == [], !writes, !reported.isEmpty {
        problems.append("repair finds what check does not: \(reported.prefix(3))")
      }
    }
    if let service = open(root) {
      read(service, "after repair", isRepaired: true)
      expectAcknowledged(service)
    }
    if file.kind == .account || file.kind == .marker { try restore(root) }
    if let problem = harm.problemOutside(root) { problems.append(problem) }
  }

  private mutating func open(_ root: String, isRestored: Bool = false) -> CloudService? {
    var settings = ServiceSettings()
    settings.lockTimeout = 5
    let boot = otherBoot ? "another boot" : HostProcess.bootIdentifier
    let fileSystem = isRestored ? FileSystem(bootIdentifier: boot) : harm.fileSystem(boot, in: root)
    do {
      return try CloudService.open(root: root, settings: settings, fileSystem: fileSystem)
    } catch {
      note(error, "open")
      if file.kind != .marker { problems.append("open: \(error.message)") }
      return nil
    }
  }

  /// Restores the original file, as only a person can, and checks that everything is there again.
  private mutating func restore(_ root: String) throws {
    try harm.undo(stage, in: root)
    guard let service = open(root, isRestored: true) else {
      return problems.append("it does not open when the file is restored")
    }
    let left = try service.repairs.repair().left
    if !left.isEmpty { problems.append("left when the file is restored: \(left.prefix(3))") }
    read(service, "when the file is restored", isRestored: true)
  }

  /// Runs `check`. Returns the problems that it finds; nil if it fails.
  private mutating func check(_ service: CloudService, _ root: String) throws -> [Problem]? {
    let isPresent = try harm.isPresent(in: root)
    do {
      let found = try service.checks.check()
      if isPresent, harm.mustBeFound, !found.contains(where: isAboutFile) {
        problems.append("check does not name the file: \(found.prefix(3).map { "\($0.path): \($0.text)" })")
      }
      return found
    } catch {
      problems.append("check fails: \(error.message)")
      return nil
    }
  }

  private func isAboutFile(_ problem: Problem) -> Bool {
    // Only other files refer to a missing one. A denied file prevents the check of others.
    harm.mutation == .remove || harm.mutation == .denied && problem.isUnread
      || problem.path.hasSuffix("/" + file.text)
  }

  /// Runs `repair`. Returns the problems that it repairs or leaves.
  private mutating func repair(_ service: CloudService, _ root: String) throws -> [Problem] {
    let before = try harm.contents(in: root)
    let report: RepairReport
    do { report = try service.repairs.repair() } catch {
      problems.append("repair fails: \(error.message)")
      return []
    }
    let left = report.left.filter { !mayBeLeft($0) }
    if !left.isEmpty { problems.append("repair leaves \(left.prefix(3).map { "\($0.path): \($0.text)" })") }
    if harm.mutation != .sparse { try compareAside(report, before, root) }
    return report.done + report.left
  }

  /// [repair-1]: a file that repair moved or replaced is in `aside`, byte for byte.
  private mutating func compareAside(_ report: RepairReport, _ before: [UInt8]?, _ root: String) throws {
    let (copies, folders) = file.copies(in: try FolderImage(of: root + "/aside"))
    if folders.contains(where: { $0.files.mapValues(\.bytes) != ["inside": [1]] }) {
      problems.append("a folder in aside has other files than before")
    }
    guard let before else { return }
    // Repair may append to this log before it moves it. That cuts off a torn line at the end ([log-3]).
    let whole = file.kind == .databaseLog ? before.prefix(through: before.lastIndex(of: 0x0A) ?? -1) : before[...]
    // A log may have got further lines. A new era removes the unreadable lines of a database's log ([log-4]).
    let isWhole = try harm.contents(in: root).map { $0 == before || file.kind.isLines && $0.starts(with: whole) }
    let mayBeLost = file.kind.isDisposable || file.kind == .databaseLog && otherBoot
    let isSaid = report.done.contains { $0.path == root + "/" + file.text && $0.text.contains("in aside/") }
    let isKept = copies.contains { $0 == before || file.kind == .databaseLog && $0.starts(with: whole) }
    if !copies.isEmpty || isSaid || isWhole != true && !mayBeLost, !isKept {
      problems.append("aside does not hold the harmed file, but \(copies.count) others")
    }
  }

  /// Whether only a person can resolve the problem.
  private func mayBeLeft(_ problem: Problem) -> Bool {
    // Nothing is known about a file that can't be opened.
    if harm.mutation == .denied { return true }
    return switch file.kind {
    case .account: true
    // A frame with a valid checksum counts as committed, no matter how it was written.
    case .journal: [.signed, .sibling].contains(harm.mutation)
    // The bytes of an asset and of a key are stored in no other file.
    case .asset: problem.text.hasSuffix("is missing")
    case .key: problem.text.contains("no key leads to")
    case .record: problem.path.hasSuffix(file.text) || problem.text.contains("root")
    default: false
    }
  }

  /// Checks an error: it has a useful message, and if the harm caused it, it names the file.
  private mutating func note(_ error: ServiceError, _ what: String) {
    if error.message.hasPrefix("unexpected error") { problems.append("\(what): \(error.message)") }
    if error.code == .quotaExceeded, !harm.mayExceedSize { problems.append("\(what): \(error.message)") }
    if error.cause != .damage, error.cause != .storage { return }
    let text = (error.path ?? "") + "\n" + error.message
    if !harm.textsOfErrors.contains(where: { text.contains($0) }) {
      problems.append("\(what): the error does not name the file: \(text)")
    }
  }

  /// Reads every record with its assets. A record that the harm does not concern must be whole.
  private mutating func read(
    _ service: CloudService, _ when: String, isRepaired: Bool = false, isRestored: Bool = false
  ) {
    for (zone, records) in stage.truth.zones {
      let names = records.keys.sorted()
      for (name, answer) in zip(names, fetch(names, zone, service)) {
        let what = "\(when): \(zone.account), '\(name)' of \(zone.folder)"
        if case .failure(let error) = answer { note(error, what) }
        // Repair applies the journals. It does not change permissions.
        let isReplayed = otherBoot && (!isRepaired || harm.mutation == .denied)
        guard let truth = records[name],
          isRestored || !harm.mayConcern(name, truth, in: zone, otherBoot: isReplayed)
        else { continue }
        switch answer {
        case .failure(let error): problems.append("\(what): \(error.message)")
        case .success(let record):
          if !isSame(record, truth, zone, isRepaired, isRestored) { problems.append("\(what) is another") }
          guard file.kind != .asset, let asset = record.fields["picture"]?.assets.first else { continue }
          if (try? asset.bytes()) != asset.name.flatMap({ stage.truth.contents[$0] }) {
            problems.append("\(what) has another asset")
          }
        }
      }
    }
  }

  private func isSame(
    _ record: Record, _ truth: CorruptionTruth.Entry, _ zone: CorruptionTruth.Zone, _ isRepaired: Bool,
    _ isRestored: Bool
  ) -> Bool {
    var (found, expected) = (CorruptionTruth.Entry(record), truth)
    // Repair moves an unreadable record aside. Other records of its zone then lose their parent or share.
    if isRepaired, file.kind == .record, file.zone == zone.folder {
      (found.parent, found.share, found.shareDetails) = (nil, nil, nil)
      (expected.parent, expected.share, expected.shareDetails) = (nil, nil, nil)
    }
    // Shares contain people's names and addresses.
    if file.kind == .account, !isRestored { (found.shareDetails, expected.shareDetails) = (nil, nil) }
    return found == expected
  }

  private func fetch(
    _ names: [ExactName], _ zone: CorruptionTruth.Zone, _ service: CloudService
  ) -> [Result<Record, ServiceError>] {
    let request = FetchRecordsRequest(
      scope: zone.scope, records: names.map { RecordIdentifier(name: $0, zone: zone.id) }, withAssets: true)
    do { return try service.records.fetchRecords(request, by: CorruptionTruth.caller(zone.account)) } catch {
      return names.map { _ in .failure(error) }
    }
  }

  /// Makes all other requests. They may fail, with an error that names the file.
  private mutating func use(_ service: CloudService) {
    for (zone, _) in stage.truth.zones {
      let caller = CorruptionTruth.caller(zone.account)
      attempt("query") {
        try service.queries.queryRecords(
          QueryRecordsRequest(scope: zone.scope, zone: zone.id, recordType: "Item"), by: caller)
      }
      attempt("subscriptions") { try service.subscriptions.list(nil, in: zone.scope, by: caller) }
      if zone.scope == .public { continue }
      attempt("zones") { try service.feeds.databaseChanges(DatabaseChangesRequest(scope: zone.scope), by: caller) }
      attempt("feed") {
        var page = try service.feeds.zoneChanges(
          ZoneChangesRequest(scope: zone.scope, zone: zone.id, limit: 2), by: caller)
        for _ in 0..<100 where page.moreComing {
          page = try service.feeds.zoneChanges(
            ZoneChangesRequest(scope: zone.scope, zone: zone.id, since: page.token), by: caller)
        }
        if page.moreComing { throw ServiceError(.internalError, "unexpected error: the feed does not end") }
      }
    }
    let carol = CorruptionTruth.caller("carol")
    attempt("accounts") { try service.accounts.listAccounts() }
    attempt("contents") { try service.checks.contents() }
    attempt("schema") { try service.schemas.schema(by: carol) }
    attempt("inbox") {
      let inbox = try service.devices.inbox(of: carol)
      for name in try inbox.names() { _ = try inbox.hold(name)?.object }
    }
    for id in FullCloud.operations {
      attempt("operation") { try service.devices.storedOperation(id, by: carol) }
      attempt("operation's answers") { try service.devices.holdOperation(id, by: carol)?.answers }
    }
  }

  private mutating func attempt(_ what: String, _ body: () throws -> some Any) {
    do { _ = try body() } catch { note(ServiceError(describing: error), what) }
  }

  private static let newName = ExactName("new")

  private mutating func save(_ service: CloudService) {
    for (zone, _) in stage.truth.zones where zone.scope == .private {
      let save = RecordSave(
        id: RecordIdentifier(name: Self.newName, zone: zone.id), type: "Item", fields: ["text": .string("new")])
      do {
        let request = ModifyRecordsRequest(scope: .private, saves: [save])
        _ = try service.records.modifyRecords(request, by: CorruptionTruth.caller(zone.account)).saves[0].get()
        acknowledged.append(zone)
      } catch {
        let error = ServiceError(describing: error)
        note(error, "save in \(zone.folder)")
        if let other = file.zone, other != zone.folder, file.kind != .journal {
          problems.append("save in \(zone.folder): \(error.message)")
        }
      }
    }
  }

  private mutating func expectAcknowledged(_ service: CloudService) {
    // Without permission, repair can't help a journal that can't be applied.
    if harm.mutation == .denied, otherBoot { return }
    for zone in acknowledged where file.zone != zone.folder && file.kind != .account && file.kind != .journal {
      let answer = fetch([Self.newName], zone, service)[0]
      if (try? answer.get())?.fields["text"] == .string("new") { continue }
      problems.append("a record that was saved in \(zone.folder) is lost")
    }
  }
}
