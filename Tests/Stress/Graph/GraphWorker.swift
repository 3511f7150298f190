import CoreData
import LocalCloudPlatform
import Synchronization
import TestSupport

/// A process of ``GraphRun``: a Core Data program that executes the coordinator's requests and answers them.
///
/// It has four contexts: 0 and 1 on the stores, 2 as a child of 1, and 3. Contexts 0 to 2 merge the saves of others;
/// context 3 merges nothing.
final class GraphWorker {
  static let contextCount = 4
  static let parent = 1
  static let child = 2
  static let stale = 3

  private let name: String
  private let coordinator: NSPersistentStoreCoordinator
  private let contexts: [NSManagedObjectContext]
  private var token: NSPersistentHistoryToken?
  /// Keys of objects, also of deleted ones.
  private var keys: [NSManagedObjectID: Int] = [:]
  /// Objects that a context must retain in memory.
  private var retained: [Int: [NSManagedObject]] = [:]
  private let notices = GraphNotices()
  private let death = GraphDeath()

  /// Parses the process's name and the stores' folder.
  init?(arguments: [String]) throws {
    guard arguments.count == 2 else { return nil }
    name = arguments[0]
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: GraphSchema.makeModel())
    coordinator.fileSystem = death.fileSystem
    for number in 0..<GraphRun.stores {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType, configurationName: nil,
        at: URL(fileURLWithPath: "\(arguments[1])/\(number).sqlite"),
        options: [NSPersistentHistoryTrackingKey: true, NSPersistentStoreTimeoutOption: 60])
    }
    var made: [NSManagedObjectContext] = []
    for number in 0..<Self.contextCount {
      let context = NSManagedObjectContext(.privateQueue)
      if number == Self.child {
        context.parent = made[Self.parent]
      } else {
        context.persistentStoreCoordinator = coordinator
      }
      context.name = "\(number)"
      context.transactionAuthor = name
      context.automaticallyMergesChangesFromParent = number != Self.stale
      made.append(context)
    }
    contexts = made
    token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    for context in contexts { notices.watch(context) }
  }

  func run() async throws {
    try await AnsweringProcess.run { (command: GraphCommand) in
      var answer = GraphAnswer()
      do { try perform(command, &answer) } catch let error as CocoaError {
        answer.code = error.errorCode
        let conflicts = error.userInfo["conflictList"] as? [NSMergeConflict] ?? []
        answer.conflicts = Set(conflicts.map { key($0.sourceObject) })
      } catch {
        answer.trouble = "\(error)"
      }
      return answer
    }
  }

  private func perform(_ command: GraphCommand, _ answer: inout GraphAnswer) throws {
    switch command {
    case .edit(let context, let edit):
      try change(context, &answer) { try apply(edit, in: $0) }
    case .save(let number, let policy):
      contexts[number].mergePolicy = policy.policy
      try change(number, &answer) { try $0.save() }
    case .saveAndDie(let number, let call):
      contexts[number].mergePolicy = GraphPolicy.error.policy
      death.set(before: call)
      try change(number, &answer) { try $0.save() }
    case .batch(let batch):
      let context = contexts[0]
      let changes = try context.performAndWait { try batch.execute(in: context, coordinator.persistentStores) }
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [contexts[0], contexts[1]])
      finishMerges()
    case .rollback(let number): try change(number, &answer) { $0.rollback() }
    case .reset(let number):
      retained[number] = nil
      try change(number, &answer) { $0.reset() }
    case .refresh(let number): contexts[number].performAndWait { contexts[number].refreshAllObjects() }
    case .dump(let number, let keeps):
      answer.nodes = try contexts[number].performAndWait { try dump(number, keeps: keeps) }
    case .transactions: answer.transactions = try newTransactions()
    case .purge:
      let last = coordinator.currentPersistentHistoryToken(fromStores: nil)
      _ = try contexts[0].performAndWait {
        try contexts[0].execute(NSPersistentHistoryChangeRequest.deleteHistory(before: last))
      }
    }
  }

  // MARK: Changes

  /// Runs `body` in a context, and adds the changes in its notifications to the answer. When it returns or throws, all
  /// contexts have merged the saves that they must merge.
  private func change(
    _ number: Int, _ answer: inout GraphAnswer, _ body: (NSManagedObjectContext) throws -> Void
  ) throws {
    let context = contexts[number]
    _ = notices.take(context, key)
    defer { finishMerges() }
    try context.performAndWait {
      try body(context)
      context.processPendingChanges()
      (answer.changed, answer.saved) = notices.take(context, key)
    }
  }

  private func finishMerges() {
    // A child merges after its parent, so the parent is first.
    for context in contexts { context.performAndWait {} }
  }

  private func apply(_ edit: GraphEdit, in context: NSManagedObjectContext) throws {
    switch edit {
    case .insert(let key, let entity, let store):
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValue(NSNumber(value: key), forKey: "key")
      if context.parent == nil { context.assign(object, to: coordinator.persistentStores[store]) }
      keys[object.objectID] = key
    case .set(let key, let name, let text):
      let object = try object(key, context)
      let type = GraphSchema.attributes(of: object.entity.name ?? "")[name] ?? .undefined
      object.setValue(GraphValue.value(text, type), forKey: name)
    case .point(let key, let name, let target):
      try object(key, context).setValue(target.map { try object($0, context) }, forKey: name)
    case .add(let key, let name, let target): add(try object(target, context), to: try object(key, context), name)
    case .remove(let key, let name, let target):
      remove(try object(target, context), from: try object(key, context), name)
    case .delete(let key): context.delete(try object(key, context))
    }
  }

  /// Adds an object to a to-many relationship by assigning the changed collection.
  private func add(_ target: NSManagedObject, to owner: NSManagedObject, _ name: String) {
    switch owner.value(forKey: name) {
    case let members as NSSet: owner.setValue(members.adding(target), forKey: name)
    case let members as NSOrderedSet: owner.setValue(NSOrderedSet(array: members.array + [target]), forKey: name)
    default: break
    }
  }

  private func remove(_ target: NSManagedObject, from owner: NSManagedObject, _ name: String) {
    switch owner.value(forKey: name) {
    case let members as NSSet:
      owner.setValue(NSSet(array: members.allObjects.filter { $0 as AnyObject !== target }), forKey: name)
    case let members as NSOrderedSet:
      owner.setValue(NSOrderedSet(array: members.array.filter { $0 as AnyObject !== target }), forKey: name)
    default: break
    }
  }

  private struct Missing: Error { var key: Int }

  private func object(_ key: Int, _ context: NSManagedObjectContext) throws -> NSManagedObject {
    let request = NSFetchRequest<NSManagedObject>(entityName: GraphSchema.root)
    request.predicate = NSPredicate(format: "key == %@", NSNumber(value: key))
    let found = try context.fetch(request)
    guard found.count == 1 else { throw Missing(key: key) }
    keys[found[0].objectID] = key
    return found[0]
  }

  // MARK: Looking

  private func dump(_ number: Int, keeps: Bool) throws -> [Int: GraphNode] {
    let context = contexts[number]
    let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: GraphSchema.root))
    retained[number] = keeps ? objects : nil
    var nodes: [Int: GraphNode] = [:]
    for object in objects {
      let entity = object.entity.name ?? ""
      var node = GraphNode(entity: entity, store: store(object), values: [:])
      for (name, type) in GraphSchema.attributes(of: entity) {
        node.values[name] = GraphValue.text(object.value(forKey: name), type)
      }
      for relationship in GraphSchema.relationships(of: entity) {
        let targets: [NSManagedObject]
        switch object.value(forKey: relationship.name) {
        case let set as NSSet: targets = set.allObjects.compactMap { $0 as? NSManagedObject }
        case let set as NSOrderedSet: targets = set.array.compactMap { $0 as? NSManagedObject }
        case let target as NSManagedObject: targets = [target]
        default: targets = []
        }
        let keys = targets.map(key)
        if !keys.isEmpty { node.links[relationship.name] = relationship.isOrdered ? keys : keys.sorted() }
      }
      keys[object.objectID] = key(object)
      nodes[key(object)] = node
    }
    return nodes
  }

  /// -1 for an object that is not in a store yet.
  private func store(_ object: NSManagedObject) -> Int {
    coordinator.persistentStores.firstIndex { $0 === object.objectID.persistentStore } ?? -1
  }

  private func key(_ object: NSManagedObject) -> Int {
    keys[object.objectID] ?? (object.value(forKey: "key") as? NSNumber)?.intValue ?? -1
  }

  // MARK: History

  private func newTransactions() throws -> [GraphTransaction] {
    // The token is archived and unarchived each time, as programs do that store it.
    let archived = try token.map { try NSKeyedArchiver.archivedData(withRootObject: $0, requiringSecureCoding: true) }
    let last = try archived.flatMap {
      try NSKeyedUnarchiver.unarchivedObject(ofClass: NSPersistentHistoryToken.self, from: $0)
    }
    let context = contexts[0]
    let transactions = try context.performAndWait {
      let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: last))
      return (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction] ?? []
    }
    token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    for transaction in transactions where transaction.author != name {
      let info = transaction.objectIDNotification().userInfo ?? [:]
      NSManagedObjectContext.mergeChanges(fromRemoteContextSave: info, into: [contexts[0], contexts[1]])
    }
    finishMerges()
    return try transactions.map(graphTransaction)
  }

  private func graphTransaction(_ transaction: NSPersistentHistoryTransaction) throws -> GraphTransaction {
    var sets = GraphSets()
    for change in transaction.changes ?? [] {
      let key = try key(change)
      switch change.changeType {
      case .insert: sets.inserted.insert(key)
      case .update:
        sets.updated.insert(key)
        sets.properties[key] = Set((change.updatedProperties ?? []).map(\.name))
      case .delete: sets.deleted.insert(key)
      }
    }
    let store = coordinator.persistentStores.firstIndex { $0.identifier == transaction.storeID } ?? -1
    return GraphTransaction(
      store: store, author: transaction.author ?? "", context: transaction.contextName ?? "", sets: sets)
  }

  /// The key of a changed object; for a deleted one, from its tombstone.
  private func key(_ change: NSPersistentHistoryChange) throws -> Int {
    let id = change.changedObjectID
    if change.changeType == .delete { return (change.tombstone?["key"] as? NSNumber)?.intValue ?? -1 }
    if let key = keys[id] { return key }
    let found = try contexts[0].performAndWait { key(try contexts[0].existingObject(with: id)) }
    keys[id] = found
    return found
  }
}

extension GraphPolicy {
  var policy: NSMergePolicy {
    switch self {
    case .error: .error
    case .objectTrump: .mergeByPropertyObjectTrump
    case .storeTrump: .mergeByPropertyStoreTrump
    case .rollback: .rollback
    }
  }
}

/// Kills the process of a ``GraphWorker`` before a call that changes one of its files.
final class GraphDeath: Sendable {
  /// The number of calls before the kill; nil if no kill is requested.
  private let remaining = Mutex<Int?>(nil)

  /// A file system that counts the calls.
  var fileSystem: FileSystem {
    FileSystem { [self] _ in
      remaining.withLock { remaining in
        guard let count = remaining else { return }
        if count == 0 { HostProcess.exitNow(9) }
        remaining = count - 1
      }
      return .proceed
    }
  }

  /// - Parameter call: the number of the call, from 0, beginning with the next one.
  func set(before call: Int) { remaining.withLock { $0 = call } }
}
