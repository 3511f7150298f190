import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Imports the contents of a source. Each batch holds records of one zone; records are saved before those that need
/// them.
///
/// Of JSON Lines, memory holds one batch and the positions of the lines that wait for a later record.
final class Importer {
  let context: CommandContext
  let policy: ImportPolicy
  let isDryRun: Bool
  /// The zone to import into; nil if each record's own zone is used.
  let zoneName: ExactName?
  let reader: PortableReader
  var source: ImportSource
  var tally = ImportTally()

  private let zones: ImportZones
  private let stop: StopFlag
  private let start = monotonicNanoseconds()
  // The batch that is being collected.
  private var batch: [ImportedRecord] = []
  private var batchZone: ZoneIdentifier?
  private var batchNames: Set<ExactName> = []
  private var batchItems = 0
  private var batchBytes = 0
  // The keys are hashes, because names would take more memory. After a hash collision a record only waits once more.
  private var waiting: [Int: [ImportPosition]] = [:]
  private var waitingNames: Set<Int> = []
  /// The records that a dry run would have saved.
  private var wouldBeThere: Set<Int> = []
  /// The positions of records that waited and can now be imported.
  private var awake: [ImportPosition] = []
  /// The positions of the batch that is being saved and has no result yet.
  private var underWay: [ImportPosition] = []
  /// The position that was read but is in no batch yet.
  private var coming: ImportPosition?
  private(set) var lastRead: ImportPosition?

  init(
    _ context: CommandContext, _ source: ImportSource, _ reader: PortableReader, _ zones: ImportZones,
    _ stop: StopFlag, policy: ImportPolicy, zone: String?
  ) {
    self.context = context
    self.source = source
    self.reader = reader
    self.zones = zones
    self.stop = stop
    self.policy = policy
    isDryRun = zones.isDryRun
    zoneName = zone.map { ExactName($0) }
  }

  /// Runs the import. Throws if it has to stop; ``progress`` then describes the imported part.
  func run() throws {
    while true {
      if stop.isRaised { throw Stopped() }
      if let position = awake.popLast() {
        coming = position
        let record = try record(source.object(at: position), at: position)
        waitingNames.remove(key(record.name, of: record))
        // In one request the order does not matter: records that wait for this one can be in the same request.
        wake(key(record.name, of: record))
        try add(record)
      } else if let (position, value) = try source.next() {
        (lastRead, coming) = (position, position)
        try take(try value.mapError { source.failure($0.text(at: position)) }.get(), at: position)
      } else if !batch.isEmpty {
        try flush()
      } else {
        break
      }
      coming = nil
    }
    if let failure = try failureOfWaiting() { throw failure }
  }

  struct Stopped: Error {}

  // MARK: Taking in

  private func take(_ object: JSONObject, at position: ImportPosition) throws {
    switch try read(object, at: position) {
    case .zone(let zone, let scope):
      let zone = try zones.identifier(zoneName ?? zone.name, owner: zone.owner)
      if let problem = try zones.ensure(zone, scope, &tally) { tally.leaveOut("\(position.description): \(problem)") }
    case .other: break
    case .record(let content):
      let record = ImportedRecord(position: position, content: content)
      guard !waitingNames.contains(key(record.name, of: record)) else {
        throw failure("the record '\(record.name)' is there twice, and waits for another one", record)
      }
      try add(record)
    }
  }

  private func read(_ object: JSONObject, at position: ImportPosition) throws -> PortableReader.Thing {
    do throws(PortableProblem) { return try reader.read(object) } catch {
      throw source.failure(error.text(at: position))
    }
  }

  private func record(_ object: JSONObject, at position: ImportPosition) throws -> ImportedRecord {
    guard case .record(let record) = try read(object, at: position) else {
      throw source.failure("\(position.description): it changed while it was read")
    }
    return ImportedRecord(position: position, content: record)
  }

  private func zone(of record: ImportedRecord) throws -> ZoneIdentifier {
    try zones.identifier(zoneName ?? record.zone?.name ?? ZoneIdentifier.defaultName, owner: record.zone?.owner)
  }

  /// The hash of zone and name.
  private func key(_ name: ExactName, of record: ImportedRecord) -> Int {
    var hasher = Hasher()
    hasher.combine(zoneName ?? record.zone?.name ?? ZoneIdentifier.defaultName)
    hasher.combine(name)
    return hasher.finalize()
  }

  /// Adds a record to the batch. Saves the batch first if it is full. A record that occurs twice is saved twice, in
  /// order.
  private func add(_ record: ImportedRecord) throws {
    let zone = try zone(of: record)
    // The share's root may be saved together with the share.
    let items = record.share == nil ? 1 : 2
    let isFull =
      batchItems + items > NameRules.maximumItems || batchBytes + record.size > NameRules.maximumRequestBytes / 2
    if !batch.isEmpty, isFull || batchZone != zone || batchNames.contains(record.name) { try flush() }
    batchZone = zone
    batch.append(record)
    batchNames.insert(record.name)
    batchItems += items
    batchBytes += record.size
  }

  private func wake(_ key: Int) {
    if let positions = waiting.removeValue(forKey: key) { awake += positions.reversed() }
  }

  // MARK: Saving

  private func flush() throws {
    guard let zone = batchZone else { return }
    let records = batch
    underWay = records.map(\.position)
    (batch, batchNames, batchItems, batchBytes) = ([], [], 0, 0)
    _ = try zones.ensure(zone, nil, &tally)
    var attempts = 5
    while try !save(records, in: zone, isLastAttempt: attempts == 1) { attempts -= 1 }
    underWay = []
    if monotonicNanoseconds() - start > 500_000_000 {
      let percent = Int(source.fraction * 100)
      context.output.progress("importing: \(tally.records.counted("record")), \(percent) % read")
    }
  }

  /// Saves one batch. Returns false if another process changed a record in the meantime and the batch has to be
  /// evaluated again.
  private func save(_ records: [ImportedRecord], in zone: ZoneIdentifier, isLastAttempt: Bool) throws -> Bool {
    let target = zones.target(zone)
    let batch: ImportBatch
    do {
      batch = try ImportBatch(records, in: target, policy, isAbsent: zones.isAbsent(zone))
    } catch let error as ServiceError {
      throw failure(error, records[0])
    }
    let (ready, waits) = batch.sorted { name in wouldBeThere.contains(key(name, of: records[0])) }
    var steps: [ImportBatch.Step] = []
    for record in ready {
      do { steps.append(try batch.step(record)) } catch let error as ServiceError { throw failure(error, record) }
    }
    if !isDryRun, try !send(steps, batch, isLastAttempt) { return false }
    for step in steps { note(step) }
    for (record, need) in waits {
      waiting[key(need, of: record), default: []].append(record.position)
      waitingNames.insert(key(record.name, of: record))
    }
    // Records that waited for these are later in the source, or were in an earlier batch.
    for record in ready { wake(key(record.name, of: record)) }
    return true
  }

  private func send(_ steps: [ImportBatch.Step], _ batch: ImportBatch, _ isLastAttempt: Bool) throws -> Bool {
    var saved: [ImportedRecord] = []
    var saves: [RecordSave] = []
    for step in steps {
      guard case .save(let save, _) = step.decision else { continue }
      saved.append(step.record)
      saves.append(save)
    }
    if saves.isEmpty { return true }
    let roots = saves.compactMap { batch.root(of: $0, besides: saves) }
    let request = ModifyRecordsRequest(scope: batch.target.scope, saves: saves + roots)
    let results: [Result<Record, ServiceError>]
    do {
      results = try batch.target.service.records.modifyRecords(request, by: batch.target.caller).saves
    } catch {
      throw failure(error, saved[0])
    }
    // The error of an added root is reported for the share that it was added for.
    let owners = saved + roots.map { root in saved.first { $0.share?.root == root.id.name } ?? saved[0] }
    let failed = zip(owners, results).compactMap { record, result -> (record: ImportedRecord, error: ServiceError)? in
      if case .failure(let error) = result { (record, error) } else { nil }
    }
    guard let first = failed.first(where: { $0.error.code != .batchRequestFailed }) ?? failed.first else { return true }
    let isRace = failed.contains { $0.error.code == .serverRecordChanged }
    if isRace, !isLastAttempt, policy != .fail { return false }
    // In the default zone each record is saved independently ([record-batch-2]).
    if failed.count < results.count { underWay = failed.map(\.record.position) }
    throw failure(first.error, first.record)
  }

  private func note(_ step: ImportBatch.Step) {
    switch step.decision {
    case .save(_, let isNew): if isNew { tally.created += 1 } else { tally.updated += 1 }
    case .unchanged: tally.unchanged += 1
    case .skipped: tally.skipped += 1
    }
    if isDryRun { wouldBeThere.insert(key(step.record.name, of: step.record)) }
    if case .skipped = step.decision { return }
    tally.invited += step.invited
    for text in step.leftOut { tally.leaveOut("\(step.record.position.description): \(text)") }
  }

  // MARK: Failing

  private func failure(_ error: ServiceError, _ record: ImportedRecord) -> CommandFailure {
    var failure = CommandFailure(service: error)
    failure.message = "\(source.name), \(record.position.description), record '\(record.name)': \(failure.message)"
    return failure
  }

  private func failure(_ message: String, _ record: ImportedRecord) -> CommandFailure {
    source.failure("\(record.position.description): \(message)")
  }

  /// The failure for a record that still waits at the end, because no further record will be read.
  private func failureOfWaiting() throws -> CommandFailure? {
    guard let first = waiting.values.joined().min(by: { $0.number < $1.number }) else { return nil }
    let record = try record(source.object(at: first), at: first)
    let need =
      record.needs.first { waiting[key($0, of: record)]?.contains { $0.number == first.number } == true } ?? record.name
    let isParent = record.parent == .set(need, zone: nil)
    let what = record.share != nil ? "root" : isParent ? "parent" : "reference to"
    let others = waitingNames.count - 1
    var failure = source.failure(
      "\(first.description), record '\(record.name)': its \(what) '\(need)' is neither "
        + "in what is imported nor in the cloud" + (others > 0 ? ", and so \(others) more wait in vain" : ""))
    failure.exitCode = .notFound
    return failure
  }

  /// The progress so far: the last position read, and the positions before it that are not imported.
  var progress: ImportProgress {
    let positions = underWay + batch.map(\.position) + [coming].compactMap { $0 } + awake + waiting.values.joined()
    return ImportProgress(last: lastRead, missing: Set(positions).sorted { $0.number < $1.number }, isDryRun: isDryRun)
  }
}
