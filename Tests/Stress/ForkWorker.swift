import CoreData
import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import TestSupport

/// A process that opens a store or a zone, forks, and saves in parent and child. It prints the child's outcome, and
/// then the names that a newly opened store or zone contains.
struct ForkWorker {
  /// The outcome of a child.
  private enum Outcome: Int32 {
    case saved = 0
    case refused = 1
    case busy = 2
  }

  private static let saves = 60

  private let scenario: String
  private let path: String

  /// Parses the scenario, and the path of a store to create or of a cloud.
  init?(arguments: [String]) {
    guard arguments.count == 2 else { return nil }
    (scenario, path) = (arguments[0], arguments[1])
  }

  func run() throws {
    switch scenario {
    case "store": try saveObjects()
    case "held-store": try saveWithinTransaction()
    case "context": try saveContexts()
    case "zone": try saveRecords()
    default: HostProcess.exitNow(64)
    }
  }

  private func printLine(_ line: String) { StandardStream.output.write(line + "\n") }

  /// Runs `save` concurrently in parent and child, the same number of times in each. The first save precedes the fork,
  /// so that lock files stay open.
  private func onBothSides(_ save: (String) throws -> Void) throws {
    try save("before")
    let child = try Fork { Self.outcome { for number in 0..<Self.saves { try save("child \(number)") } }.rawValue }
    for number in 0..<Self.saves { try save("parent \(number)") }
    report(child)
  }

  private static func outcome(_ body: () throws -> Void) -> Outcome {
    do {
      try body()
      return .saved
    } catch StorageError.busy { return .busy } catch {
      StandardStream.error.write("in the child: \(error)\n")
      return .refused
    }
  }

  private func report(_ child: Fork) {
    let status = child.wait()
    printLine("child \(Outcome(rawValue: status).map { "\($0)" } ?? "status \(status)")")
  }

  // MARK: Stores

  private static let schema: StoreSchema = {
    var note = StoreSchema.Declaration(name: "Note")
    note.attributes = [StoreSchema.Attribute(name: "title", type: .string)]
    return StoreSchema([note])
  }()

  private func open(lockTimeout: Double) throws -> ObjectStore {
    var options = ObjectStore.Options()
    options.lockTimeout = lockTimeout
    return try ObjectStore(path, schema: Self.schema, options: options)
  }

  private func insert(_ title: String, _ transaction: StoreTransaction) {
    let id = transaction.newID(of: 0)
    transaction.insert(StoredRow(id: id, version: 0, attributes: [.string(title)], toOnes: []))
  }

  private func saveObjects() throws {
    let store = try open(lockTimeout: 60)
    try onBothSides { title in _ = try store.writing { insert(title, $0) } }
    try listObjects()
  }

  /// Lets children save while the parent has the store locked: one child that was forked before the lock, and one that
  /// is forked under it. Both must wait for the parent.
  private func saveWithinTransaction() throws {
    let store = try open(lockTimeout: 0.2)
    let (folder, signal) = (try Directory.open(path: path, in: FileSystem()), "locked")
    func fork(_ title: String, awaitsSignal: Bool = false) throws -> Fork {
      try Fork {
        Self.outcome {
          while try awaitsSignal && !folder.exists(signal) { pause(microseconds: 200) }
          _ = try store.writing { insert(title, $0) }
        }.rawValue
      }
    }
    _ = try store.writing { insert("before", $0) }
    let first = try fork("first child", awaitsSignal: true)
    _ = try store.writing { transaction in
      insert("parent", transaction)
      _ = try folder.createFile(signal)
      report(first)
      report(try fork("second child"))
    }
    try folder.remove(signal)
    report(try fork("later child"))
    try listObjects()
  }

  private func listObjects() throws {
    let store = try ObjectStore.stored(path)
    try store.read { view in
      try view.forEachRow(of: 0) { row in
        if case .string(let title) = row.attributes[0] { printLine("= \(title)") }
        return true
      }
      printLine("transactions \(try view.history(after: 0).count)")
    }
    printLine("problems \(try store.check())")
  }

  private func saveContexts() throws {
    let note = NSEntityDescription()
    note.name = "Note"
    let title = NSAttributeDescription()
    title.name = "title"
    title.type = .string
    note.properties = [title]
    let model = NSManagedObjectModel()
    model.entities = [note]
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType, configurationName: nil, at: URL(fileURLWithPath: path),
      options: [NSPersistentHistoryTrackingKey: true])
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    try onBothSides { title in
      try context.performAndWait {
        NSManagedObject(entity: note, insertInto: context).setValue(title, forKey: "title")
        try context.save()
      }
    }
    try listObjects()
  }

  // MARK: Zones

  private func saveRecords() throws {
    let zone = ZoneIdentifier(name: "Notes")
    let caller = Caller(account: "alice", device: nil, container: TemporaryCloud.container)
    let service = try CloudService.open(root: path)
    try onBothSides { name in
      let save = RecordSave(
        id: RecordIdentifier(name: ExactName(name), zone: zone), type: "Item", fields: ["text": .string(name)])
      _ = try service.records.modifyRecords(ModifyRecordsRequest(scope: .private, saves: [save]), by: caller).saves[0]
        .get()
    }
    let changes = try CloudService.open(root: path).feeds.zoneChanges(
      ZoneChangesRequest(scope: .private, zone: zone), by: caller)
    for record in changes.changed { printLine("= \(record.id.name)") }
  }
}
