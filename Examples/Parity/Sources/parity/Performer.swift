import CloudKit

/// Performs the steps of one actor with the CloudKit that the program was built with. It holds the actor's stored
/// records, tokens and cursors.
actor Performer {
  let container: CKContainer
  private let user: String
  private let folder: URL
  var records: [String: CKRecord] = [:]
  var tokens: [String: CKServerChangeToken] = [:]
  var cursors: [String: CKQueryOperation.Cursor] = [:]
  /// Texts that all actors know: `url NAME` is a link, `user NAME` a user's record name.
  var texts: [String: String] = [:]
  let queryTimeout: Int
  private var fileCount = 0

  /// - Parameter queryTimeout: the longest wait for iCloud's indexes, in seconds.
  init(actor: String, container: String, queryTimeout: Int) throws {
    self.container = CKContainer(identifier: container)
    self.queryTimeout = queryTimeout
    user = String(actor.prefix { $0 != "." })
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("parity-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// The first request has no step: its answer holds the user's record name.
  func perform(_ request: Request) async throws -> Response {
    texts.merge(request.texts) { $1 }
    guard let step = request.step else {
      texts["user \(user)"] = try await container.userRecordID().recordName
      return Response(answer: .null, texts: texts)
    }
    return Response(answer: await answer(step), texts: texts)
  }

  /// A step that needs a result that an earlier step did not have is not performed. That is an answer, too: the
  /// services may differ in the earlier step.
  private func answer(_ step: Step) async -> JSON {
    do {
      return try await perform(step)
    } catch let error as ParityError {
      return .of(["notPerformed": .text(error.text)])
    } catch {
      return .of(["error": Answer.error(error)])
    }
  }

  private func perform(_ step: Step) async throws -> JSON {
    if let zones = step.zones { return try await modify(zones, step) }
    if let zones = step.fetchZones { return try await fetch(zones, step) }
    if let records = step.modify { return try await modify(records, step) }
    if let records = step.fetch { return try await fetch(records, step) }
    if let query = step.query { return try await find(query, step) }
    if let changes = step.zoneChanges { return try await zoneChanges(changes, step) }
    if let changes = step.databaseChanges { return try await databaseChanges(changes, step) }
    if let subscriptions = step.subscriptions { return try await modify(subscriptions, step) }
    if let subscriptions = step.fetchSubscriptions { return await fetch(subscriptions, step) }
    if let share = step.share { return try await make(share, step) }
    if let link = step.metadata { return try await metadata(link) }
    if let link = step.accept { return try await accept(link) }
    if step.userRecord != nil { return await userRecord(step) }
    throw ParityError("the step has no operation")
  }

  func database(_ step: Step) -> CKDatabase {
    switch step.database ?? .private {
    case .private: container.privateCloudDatabase
    case .shared: container.sharedCloudDatabase
    case .public: container.publicCloudDatabase
    }
  }

  /// The ID of a zone of the step's owner; without a name the default zone.
  func zoneID(_ name: String?, _ step: Step) throws -> CKRecordZone.ID {
    let zone = name ?? CKRecordZone.ID.defaultZoneName
    guard let owner = step.owner else { return CKRecordZone.ID(zoneName: zone) }
    return CKRecordZone.ID(zoneName: zone, ownerName: try text("user \(owner)"))
  }

  func recordID(_ name: String, _ step: Step, in zone: String? = nil) throws -> CKRecord.ID {
    CKRecord.ID(recordName: name, zoneID: try zoneID(zone ?? step.zone, step))
  }

  func text(_ name: String) throws -> String {
    guard let text = texts[name] else { throw ParityError("no step has stored the \(name)") }
    return text
  }

  func record(stored name: String) throws -> CKRecord {
    // A copy: saving it leaves the stored record as it was.
    guard let copy = records[name]?.copy() as? CKRecord else {
      throw ParityError("no step has stored the record \(name)")
    }
    return copy
  }

  func keep(_ record: CKRecord?, as name: String?) {
    if let name, let copy = record?.copy() as? CKRecord { records[name] = copy }
  }

  /// Writes the contents of an asset into a new file.
  func file(_ contents: String) throws -> URL {
    fileCount += 1
    let file = folder.appendingPathComponent("asset-\(fileCount)")
    try Data(contents.utf8).write(to: file)
    return file
  }

  /// Starts the operation, and returns after its last callback.
  ///
  /// - Parameter prepare: sets the blocks; the last block calls the given function.
  func run(
    _ operation: CKDatabaseOperation, _ step: Step, _ prepare: (@escaping @Sendable () -> Void) -> Void
  ) async {
    await run(operation, database(step).add, prepare)
  }

  /// - Parameter add: adds the operation to a database or a container.
  func run<Operation>(
    _ operation: Operation, _ add: (Operation) -> Void, _ prepare: (@escaping @Sendable () -> Void) -> Void
  ) async {
    await withCheckedContinuation { continuation in
      prepare { continuation.resume() }
      add(operation)
    }
  }
}

/// A step for an actor, with the texts that the other actors have stored.
struct Request: Codable, Sendable {
  var step: Step?
  var texts: [String: String]
}

struct Response: Codable, Sendable {
  var answer: JSON
  var texts: [String: String]
}
