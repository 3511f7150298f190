import CloudKit
import LocalCloudPlatform
import Synchronization
import TestSupport

/// One process of a stress run: an ordinary CloudKit program that takes its account from the environment. It writes its
/// findings to standard output, one per line. A line that starts with `!` reports a violated guarantee.
struct StressWorker: Sendable {
  let owner: String
  let mode: StressNames.Mode
  let number: Int
  let count: Int
  let barrier: String
  let database: CKDatabase
  let zoneID: CKRecordZone.ID

  /// Parses the owner's user record name (`-` for the owner's own processes), mode, number, count and barrier file.
  init(arguments: [String]) throws {
    guard arguments.count == 5, let mode = StressNames.Mode(rawValue: arguments[1]), let number = Int(arguments[2]),
      let count = Int(arguments[3])
    else { throw CKError(.invalidArguments) }
    owner = arguments[0]
    self.mode = mode
    self.number = number
    self.count = count
    barrier = arguments[4]
    let container = CKContainer(identifier: TemporaryCloud.container)
    let isOwner = owner == "-"
    database = isOwner ? container.privateCloudDatabase : container.sharedCloudDatabase
    zoneID = CKRecordZone.ID(zoneName: StressNames.zone, ownerName: isOwner ? CKCurrentUserDefaultName : owner)
  }

  func run() async throws {
    switch mode {
    case .singles:
      try start()
      try await saveSingles()
    case .batches:
      try start()
      try await saveBatches()
    case .reader:
      try start()
      try await read()
    case .contest:
      let record = try await database.record(for: id(StressNames.contested))
      try start()
      try await contest(record)
    }
  }

  private func printLine(_ text: String) { StandardStream.output.write(text + "\n") }

  /// Prints "ready" and waits at the barrier, a file that the coordinator has locked.
  private func start() throws {
    printLine("ready")
    let parts = barrier.split(separator: "/")
    let folder = "/" + parts.dropLast().joined(separator: "/")
    let file = try Directory.open(path: folder, in: FileSystem()).file(String(parts.last ?? ""))
    try file.waitForLock(.shared)
    file.unlock()
  }

  private func id(_ name: String) -> CKRecord.ID { CKRecord.ID(recordName: name, zoneID: zoneID) }

  private func item(_ name: String, stamp: Int) -> CKRecord {
    let record = CKRecord(recordType: "Item", recordID: id(name))
    record["stamp"] = stamp
    record["writer"] = number
    record["text"] = "text \(stamp)"
    record.parent = CKRecord.Reference(recordID: id(StressNames.root), action: .none)
    return record
  }

  // MARK: Writing

  private func saveSingles() async throws {
    for index in 0..<count {
      _ = try await database.save(item(StressNames.single(number, index), stamp: index))
      printLine("saved \(index)")
    }
  }

  private func saveBatches() async throws {
    for stamp in 1...count {
      let records = StressNames.batch(number).map { item($0, stamp: stamp) }
      let results = try await database.modifyRecords(
        saving: records, deleting: [], savePolicy: .allKeys, atomically: true)
      for result in results.saveResults.values { _ = try result.get() }
      printLine("saved \(stamp)")
    }
  }

  /// Saves the contested record. Prints whether it won; if it lost, prints the winners in the records of the error.
  private func contest(_ record: CKRecord) async throws {
    record["winner"] = number
    do {
      _ = try await database.save(record)
      printLine("won")
    } catch let error as CKError where error.code == .serverRecordChanged {
      func winner(_ record: CKRecord?) -> String {
        guard let record else { return "none" }
        return (record["winner"] as? Int).map(String.init) ?? "nobody"
      }
      printLine("lost \(winner(error.ancestorRecord)) \(winner(error.serverRecord)) \(winner(error.clientRecord))")
    }
  }

  // MARK: Reading

  private struct Seen {
    var stamps: [String: Int] = [:]
    var lastSingle: [String: Int] = [:]
    var ended: Set<String> = []
    var token: CKServerChangeToken?
    var moreComing = true
  }

  /// Reads changes until each of the `count` writers has saved its `end-` record.
  private func read() async throws {
    let seen = Mutex(Seen())
    var pages = 0
    while true {
      let token = seen.withLock(\.token)
      try await page(since: token) { record in
        seen.withLock { note(record, &$0) }
      } finished: { token, moreComing in
        seen.withLock {
          $0.token = token
          $0.moreComing = moreComing
        }
      }
      pages += 1
      guard !seen.withLock(\.moreComing) else { continue }
      checkBatches(seen.withLock(\.stamps), "feed")
      try await fetchBatches()
      if seen.withLock({ $0.ended.count == count }) { break }
    }
    let stamps = seen.withLock(\.stamps)
    printLine("read \(stamps.count) records in \(pages) pages")
    for (name, stamp) in stamps.sorted(by: { $0.key < $1.key }) { printLine("= \(name) \(stamp)") }
  }

  /// Fetches one page with the operation. Its blocks are called in the feed's order.
  private func page(
    since token: CKServerChangeToken?, changed: @escaping @Sendable (CKRecord) -> Void,
    finished: @escaping @Sendable (CKServerChangeToken, Bool) -> Void
  ) async throws {
    let operation = CKFetchRecordZoneChangesOperation(
      recordZoneIDs: [zoneID],
      configurationsByRecordZoneID: [
        zoneID: .init(previousServerChangeToken: token, resultsLimit: 7 + number * 31)
      ])
    operation.fetchAllChanges = false
    operation.recordWasChangedBlock = { id, result in
      switch result {
      case .success(let record): changed(record)
      case .failure(let error): printLine("! \(id.recordName): \(error)")
      }
    }
    operation.recordWithIDWasDeletedBlock = { id, _ in printLine("! deletion of \(id.recordName)") }
    operation.recordZoneFetchResultBlock = { _, result in
      if let (token, _, moreComing) = try? result.get() { finished(token, moreComing) }
    }
    try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
      operation.fetchRecordZoneChangesResultBlock = { continuation.resume(with: $0) }
      database.add(operation)
    }
  }

  private func note(_ record: CKRecord, _ seen: inout Seen) {
    let name = record.recordID.recordName
    if name.hasPrefix("end-") { seen.ended.insert(name) }
    guard let stamp = record["stamp"] as? Int else { return }
    if let before = seen.stamps[name], before > stamp { printLine("! \(name) went back from \(before) to \(stamp)") }
    seen.stamps[name] = stamp
    let parts = name.split(separator: "-")
    if parts.count == 2, parts[0].hasPrefix("w"), let index = Int(parts[1]) {
      let expected = (seen.lastSingle[String(parts[0])] ?? -1) + 1
      if index != expected { printLine("! \(name) where \(expected) was due") }
      seen.lastSingle[String(parts[0])] = index
    }
  }

  private func checkBatches(_ stamps: [String: Int], _ source: String) {
    for writer in 0..<count {
      let found = Set(StressNames.batch(writer).map { stamps[$0] })
      if found.count > 1 { printLine("! half a batch of writer \(writer) in the \(source): \(found)") }
    }
  }

  private func fetchBatches() async throws {
    for writer in 0..<count {
      let names = StressNames.batch(writer)
      let results = try await database.records(for: names.map(id))
      let stamps = names.map { name in (try? results[id(name)]?.get())?["stamp"] as? Int }
      if Set(stamps).count > 1 { printLine("! half a batch of writer \(writer) in a fetch: \(stamps)") }
    }
  }
}
