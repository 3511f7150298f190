import CloudService
import CloudStore
import Platform

/// One process of a stress run. Writes its findings to standard output, one line each; a line that starts with `!` is
/// a broken promise.
package struct StressWorker {
  package enum Mode: String, Sendable {
    /// New records, one a call.
    case singles
    /// Ten records that always bear one stamp, saved together again and again.
    case batches
    /// Follows the zone's feed and looks at the batches.
    case reader
  }

  package static let zoneName: ExactName = "Shared"
  package static let rootName: ExactName = "root"

  let root: String
  let account: String
  let owner: String
  let mode: Mode
  let number: Int
  let count: Int
  let barrier: String

  /// root, account, owner's user record name, mode, number, count, barrier file.
  package init(arguments: [String]) throws {
    guard arguments.count == 7, let mode = Mode(rawValue: arguments[3]), let number = Int(arguments[4]),
      let count = Int(arguments[5])
    else { throw ServiceError(.invalidArguments, "a worker needs seven arguments") }
    root = arguments[0]
    account = arguments[1]
    owner = arguments[2]
    self.mode = mode
    self.number = number
    self.count = count
    barrier = arguments[6]
  }

  private var isOwner: Bool { account == "alice" }
  private var scope: DatabaseScope { isOwner ? .private : .shared }
  private var zone: ZoneIdentifier { ZoneIdentifier(name: Self.zoneName, owner: isOwner ? nil : owner) }

  package func run() throws {
    var settings = CloudService.Settings()
    settings.command = "stress \(mode.rawValue) \(number)"
    settings.lockTimeout = 120
    let service = try CloudService.open(root: root, settings: settings)
    let caller = Caller(account: account, container: TemporaryCloud.container)
    say("ready")
    try waitForStart()
    switch mode {
    case .singles: try saveSingles(service, caller)
    case .batches: try saveBatches(service, caller)
    case .reader: try read(service, caller)
    }
  }

  private func say(_ text: String) { StandardStream.output.write(text + "\n") }

  /// The barrier is a file that the coordinator has locked.
  private func waitForStart() throws {
    let parts = barrier.split(separator: "/")
    let folder = "/" + parts.dropLast().joined(separator: "/")
    let file = try Directory.open(path: folder, in: FileSystem()).file(String(parts.last ?? ""))
    try file.waitForLock(.shared)
    file.unlock()
  }

  // MARK: Writing

  private func save(_ names: [ExactName], stamp: Int) -> [RecordSave] {
    names.map { name in
      RecordSave(
        id: RecordIdentifier(name: name, zone: zone), type: "Item",
        fields: ["stamp": .int64(Int64(stamp)), "writer": .int64(Int64(number)), "text": .string("text \(stamp)")],
        parent: .set(Self.rootName, zone: nil))
    }
  }

  private func saveSingles(_ service: CloudService, _ caller: Caller) throws {
    for index in 0..<count {
      let response = try service.modifyRecords(
        ModifyRecordsRequest(scope: scope, saves: save([Self.single(number, index)], stamp: index)), by: caller)
      _ = try response.saves[0].get()
      say("saved \(index)")
    }
  }

  private func saveBatches(_ service: CloudService, _ caller: Caller) throws {
    let names = Self.batch(number)
    for stamp in 1...count {
      let response = try service.modifyRecords(
        ModifyRecordsRequest(scope: scope, saves: save(names, stamp: stamp), policy: .allKeys), by: caller)
      for save in response.saves { _ = try save.get() }
      say("saved \(stamp)")
    }
  }

  package static func single(_ writer: Int, _ index: Int) -> ExactName { ExactName("w\(writer)-\(index)") }

  package static func batch(_ writer: Int) -> [ExactName] { (0..<10).map { ExactName("b\(writer)-\($0)") } }

  // MARK: Reading

  /// Reads until the records that say so are there: `count` writers announce their end by a record `end-<writer>`.
  private func read(_ service: CloudService, _ caller: Caller) throws {
    var token: String?
    var stamps: [ExactName: Int64] = [:]
    var lastSingle: [String: Int] = [:]
    var ended: Set<ExactName> = []
    var pages = 0
    while true {
      let page = try service.zoneChanges(
        ZoneChangesRequest(scope: scope, zone: zone, since: token, limit: 7 + number * 31), by: caller)
      token = page.token
      pages += 1
      for deletion in page.deleted { say("! deletion of \(deletion.record.name)") }
      for record in page.changed {
        if record.id.name.string.hasPrefix("end-") { ended.insert(record.id.name) }
        guard case .int64(let stamp)? = record.fields["stamp"] else { continue }
        if let before = stamps[record.id.name], before > stamp {
          say("! \(record.id.name) went back from \(before) to \(stamp)")
        }
        stamps[record.id.name] = stamp
        let parts = record.id.name.string.split(separator: "-")
        if parts.count == 2, parts[0].hasPrefix("w"), let index = Int(parts[1]) {
          let expected = (lastSingle[String(parts[0])] ?? -1) + 1
          if index != expected { say("! \(record.id.name) where \(expected) was due") }
          lastSingle[String(parts[0])] = index
        }
      }
      if !page.moreComing {
        checkBatches(stamps, "feed")
        try fetchBatches(service, caller)
        if ended.count == count { break }
      }
    }
    say("read \(stamps.count) records in \(pages) pages")
    for (name, stamp) in stamps.sorted(by: { $0.key < $1.key }) { say("= \(name) \(stamp)") }
  }

  private func checkBatches(_ stamps: [ExactName: Int64], _ source: String) {
    for writer in 0..<count {
      let found = Set(Self.batch(writer).map { stamps[$0] })
      if found.count > 1 { say("! half a batch of writer \(writer) in the \(source): \(found)") }
    }
  }

  private func fetchBatches(_ service: CloudService, _ caller: Caller) throws {
    for writer in 0..<count {
      let names = Self.batch(writer)
      let records = try service.fetchRecords(
        FetchRecordsRequest(scope: scope, records: names.map { RecordIdentifier(name: $0, zone: zone) }), by: caller)
      var stamps: [ExactName: Int64] = [:]
      for case .success(let record) in records {
        if case .int64(let stamp)? = record.fields["stamp"] { stamps[record.id.name] = stamp }
      }
      let found = Set(names.map { stamps[$0] })
      if found.count > 1 { say("! half a batch of writer \(writer) in a fetch: \(found)") }
    }
  }
}
