import FaultInjection
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// One harmed file, and all requests that are made to the cloud with it.
struct CorruptionCase {
  let stage: CorruptionStage
  let number: Int
  let harm: CorruptionHarm
  let otherBoot: Bool
  let scope: CorruptionScope
  private let writes: Bool
  /// Whether to run feeds and queries. They take longest and vary least between cases.
  private let asks: Bool
  /// Whether to check before reading, because a read may mend the harm.
  private let checksFirst: Bool
  var problems: [String] = []
  /// Zones with a save that was acknowledged while the file was harmed.
  private var acknowledged: [CorruptionTruth.Place] = []
  /// Paths of record files that their owners could not read before repair.
  var unreadable: Set<String> = []
  private var isMended = false

  init(_ stage: CorruptionStage, number: Int, seed: UInt64) {
    self.stage = stage
    self.number = number
    var random = SeededGenerator(seed: seed &+ UInt64(number) &* 0x9E37_79B9)
    harm = CorruptionHarm(stage, &random)
    otherBoot = Int.random(in: 0..<4, using: &random) == 0
    writes = Bool.random(using: &random)
    asks = Int.random(in: 0..<3, using: &random) == 0
    checksFirst = Bool.random(using: &random)
    scope = CorruptionScope(stage, harm, otherBoot: otherBoot)
  }

  var file: CorruptionFile { harm.file }

  var text: String {
    "\(file.kind.rawValue) \(harm.mutation.rawValue) of \(file.text)"
      + (otherBoot ? ", after a boot" : "") + (writes ? ", with saves" : "")
  }

  mutating func run() throws {
    let root = MemoryFolder.newPath("corruption")
    try stage.image.write(to: root)
    defer { try? ScratchFolder.remove(root) }
    try harm.apply(to: root)
    try meet(root)
    if let problem = harm.problemOutside(root) { problems.append(problem) }
  }

  private mutating func meet(_ root: String) throws {
    guard let service = try open(root) else { return try mend(root) }
    var found = checksFirst ? try check(service, root) : nil
    look(service, "before repair")
    lookAtAssets(service, "before repair")
    if asks { ask(service) }
    if writes { save(service) }
    if !checksFirst { found = try check(service, root) }
    let left = try repair(service, root)
    if found == [], !writes, let left, !left.isEmpty { problems.append("repair finds what check does not: \(left)") }
    guard let repaired = try open(root) else { return }
    look(repaired, "after repair", isRepaired: true)
    lookAtAssets(repaired, "after repair", isRepaired: true)
    expectAcknowledged(repaired)
    if file.kind == .account { try mend(root) }
  }

  // MARK: Opening

  private mutating func open(_ root: String) throws -> CloudService? {
    var settings = ServiceSettings()
    settings.lockTimeout = 5
    let boot = otherBoot ? "another boot" : HostProcess.bootIdentifier
    let fileSystem = isMended ? FileSystem(bootIdentifier: boot) : harm.fileSystem(boot, in: root)
    do {
      return try CloudService.open(root: root, settings: settings, fileSystem: fileSystem)
    } catch {
      note(error, "open")
      if file.kind != .marker { problems.append("open: \(error.message)") }
      return nil
    }
  }

  /// Restores the original file, as only a person can, and checks that everything is there again.
  private mutating func mend(_ root: String) throws {
    try harm.undo(stage, in: root)
    isMended = true
    guard let service = try open(root) else { return problems.append("it does not open when it is mended") }
    do {
      let left = try service.repairs.repair().left
      if !left.isEmpty { problems.append("left when it is mended: \(left.prefix(3))") }
    } catch { problems.append("repair fails when it is mended: \(error.message)") }
    look(service, "when it is mended", isMended: true)
  }

  /// Checks an error: it has a useful message, and if the harm caused it, it names the file.
  mutating func note(_ error: ServiceError, _ what: String) {
    if error.message.hasPrefix("unexpected error") { problems.append("\(what): \(error.message)") }
    guard error.cause == .damage || error.cause == .storage else { return }
    if error.code == .quotaExceeded || !scope.isNamed(by: error) {
      problems.append("\(what): not clear: \(error.code) \(error.path ?? "no path") \(error.message)")
    }
  }

  // MARK: Writing

  private static let newName = ExactName("new")

  private mutating func save(_ service: CloudService) {
    for (place, _) in stage.truth.records where place.scope == .private {
      let id = RecordIdentifier(name: Self.newName, zone: place.zone)
      let save = RecordSave(id: id, type: "Item", fields: ["text": .string("new")])
      do {
        _ = try service.records.modifyRecords(
          ModifyRecordsRequest(scope: .private, saves: [save]), by: CorruptionTruth.caller(place.account)
        ).saves[0].get()
        acknowledged.append(place)
      } catch {
        let error = ServiceError(describing: error)
        note(error, "save in \(place.folder)")
        // Other accounts' zones are not affected.
        if !scope.mayFailToSave(place) { problems.append("save in \(place.folder): \(error.message)") }
      }
    }
  }

  private mutating func expectAcknowledged(_ service: CloudService) {
    for place in acknowledged {
      let allowed = scope.allowance(place, Self.newName, nil, isRepaired: true, lost: false)
      if allowed.isOther { continue }
      let id = RecordIdentifier(name: Self.newName, zone: place.zone)
      do {
        let found = try service.records.fetchRecords(
          FetchRecordsRequest(scope: .private, records: [id]), by: CorruptionTruth.caller(place.account))[0].get()
        if found.fields["text"] != .string("new") { problems.append("what was saved in \(place.folder) is another") }
      } catch {
        let error = ServiceError(describing: error)
        note(error, "what was saved in \(place.folder)")
        if !allowed.fails { problems.append("what was saved in \(place.folder) is not there: \(error.message)") }
      }
    }
  }
}
