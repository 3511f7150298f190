import CloudKit
import CoreData
import LocalCloudPlatform
import TestSupport

/// A device of ``SyncRun``: a program with a private and a shared store. It reads requests from standard input and
/// writes answers, each as a line of JSON. The environment determines its account and device.
final class SyncWorker {
  private let account: String
  private let container: NSPersistentCloudKitContainer
  private let cloud = CKContainer.default()
  private let privateStore: NSPersistentStore
  private let sharedStore: NSPersistentStore
  private let context: NSManagedObjectContext
  private let events: SyncEvents
  /// Whether the program checks the permission before it changes an object, as a program should.
  private var asksFirst = true

  /// Parses the account, the folder of the stores, and whether they are mirrored.
  init?(arguments: [String]) throws {
    guard arguments.count == 3 else { return nil }
    account = arguments[0]
    container = NSPersistentCloudKitContainer(name: "Posts", managedObjectModel: SyncSchema.model)
    events = SyncEvents(container)
    let identifier = cloud.containerIdentifier ?? ""
    container.persistentStoreDescriptions = [("private", CKDatabase.Scope.private), ("shared", .shared)].map {
      let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "\(arguments[1])/\($0).sqlite"))
      description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
      if arguments[2] == "on" {
        let options = NSPersistentCloudKitContainerOptions(containerIdentifier: identifier)
        options.databaseScope = $1
        description.cloudKitContainerOptions = options
      }
      return description
    }
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 ?? failure }
    let stores = container.persistentStoreCoordinator.persistentStores
    guard failure == nil, stores.count == 2 else { throw ScenarioEnd("no stores: \(failure as Any)") }
    (privateStore, sharedStore) = (stores[0], stores[1])
    context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
    context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    context.transactionAuthor = "app"
  }

  func run() async throws {
    try await AnsweringProcess.run { (command: SyncCommand) in
      var answer = SyncAnswer()
      do { try await perform(command, &answer) } catch let error as NSError where Self.isRefusal(error) {
        // Nothing was done.
      } catch let error as CKError {
        answer.errors.append("\(error.code)")
      } catch {
        answer.trouble = "\(error)"
      }
      return answer
    }
  }

  /// The container refuses the change.
  private static func isRefusal(_ error: NSError) -> Bool {
    error.domain == NSCocoaErrorDomain && error.code == 134060
  }

  private func perform(_ command: SyncCommand, _ answer: inout SyncAnswer) async throws {
    switch command {
    case .insert, .set, .link, .move, .delete: try performEdit(command, &answer)
    case .unasked(let edit):
      asksFirst = false
      defer { asksFirst = true }
      try performEdit(edit, &answer)
    case .share, .invite, .permit, .uninvite, .accept, .purge, .stop: try await performSharing(command, &answer)
    case .drain:
      await container.drain()
      answer.errors = events.errors
      answer.isDone = true
    case .look:
      try look(&answer)
      answer.isDone = true
    }
  }

  private func performEdit(_ command: SyncCommand, _ answer: inout SyncAnswer) throws {
    switch command {
    case .insert(let key, let entity, let anchor, let text):
      answer.isDone = try save { context in
        var beside: NSManagedObject?
        if let anchor {
          guard let found = try object(anchor) else { return false }
          beside = found
        }
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        context.assign(object, to: beside?.objectID.persistentStore ?? privateStore)
        object.setValue(key, forKey: "key")
        object.setValue(text, forKey: "text")
        if let beside, let name = SyncSchema.anchors[entity] {
          object.setValue(entity == "Tag" ? Set([beside]) : beside, forKey: name)
        }
        return true
      }
    case .set(let key, let name, let text):
      answer.isDone = try save { _ in
        guard let object = try object(key), mayChange(object) else { return false }
        object.setValue(name == "photo" ? SyncPhoto.data(text) : text, forKey: name)
        return true
      }
    case .link(let post, let tag, let isLinked):
      answer.isDone = try save { _ in
        guard let post = try object(post), let tag = try object(tag), mayChange(post), isTogether(post, tag) else {
          return false
        }
        let tags = post.mutableSetValue(forKey: "tags")
        if isLinked { tags.add(tag) } else { tags.remove(tag) }
        return true
      }
    case .move(let attachment, let post):
      answer.isDone = try save { _ in
        guard let attachment = try object(attachment), mayChange(attachment) else { return false }
        var target: NSManagedObject?
        if let post {
          guard let found = try object(post), isTogether(found, attachment) else { return false }
          target = found
        }
        attachment.setValue(target, forKey: "post")
        return true
      }
    case .delete(let key):
      var deleted: [String] = []
      answer.isDone = try save { context in
        guard let object = try object(key), mayChange(object) else { return false }
        context.delete(object)
        context.processPendingChanges()
        deleted = context.deletedObjects.compactMap { $0.committedValues(forKeys: ["key"])["key"] as? String }
        return true
      }
      answer.deleted = deleted
    default: break
    }
  }

  private func performSharing(_ command: SyncCommand, _ answer: inout SyncAnswer) async throws {
    switch command {
    case .share(let key):
      guard let object = try await context.perform({ try self.object(key) }) else { return }
      let (_, share, _) = try await container.share([object], to: nil)
      (answer.isDone, answer.zone) = (true, share.recordID.zoneID.zoneName)
    case .invite(let zone, let account, let mayWrite): try await invite(account, to: zone, mayWrite, &answer)
    case .permit(let zone, let account, let mayWrite):
      guard let share = try share(zone), let participant = participant(account, of: share) else { return }
      participant.permission = mayWrite ? .readWrite : .readOnly
      _ = try await container.persistUpdatedShare(share, in: privateStore)
      answer.isDone = true
    case .uninvite(let zone, let account):
      guard let share = try share(zone), let participant = participant(account, of: share) else { return }
      share.removeParticipant(participant)
      _ = try await container.persistUpdatedShare(share, in: privateStore)
      answer.isDone = true
    case .accept(let text):
      guard let url = URL(string: text) else { return }
      let metadata = try await cloud.shareMetadata(for: url)
      _ = try await container.acceptShareInvitations(from: [metadata], into: sharedStore)
      answer.isDone = true
    case .purge(let zone):
      let isOwn = zone.owner == CKCurrentUserDefaultName
      let zoneID = CKRecordZone.ID(zoneName: zone.name, ownerName: zone.owner)
      _ = try await container.purgeObjectsAndRecordsInZone(with: zoneID, in: isOwn ? privateStore : sharedStore)
      answer.isDone = true
    case .stop(let zone):
      guard let share = try share(zone) else { return }
      _ = try await cloud.privateCloudDatabase.deleteRecord(withID: share.recordID)
      answer.isDone = true
    default: break
    }
  }

  // MARK: Changes

  /// Saves the changes of `body`. Returns false if `body` has nothing to change.
  private func save(_ body: (NSManagedObjectContext) throws -> Bool) throws -> Bool {
    try context.performAndWait {
      context.refreshAllObjects()
      guard try body(context) else { return false }
      try context.save()
      return true
    }
  }

  private func object(_ key: String) throws -> NSManagedObject? {
    var found: [NSManagedObject] = []
    for entity in SyncSchema.model.entities {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.predicate = NSPredicate(format: "key == %@", key)
      found += try context.fetch(request)
    }
    if found.count > 1 { throw ScenarioEnd("\(key) is there \(found.count) times") }
    return found.first
  }

  private func mayChange(_ object: NSManagedObject) -> Bool {
    !asksFirst || container.canUpdateRecord(forManagedObjectWith: object.objectID)
  }

  private func isTogether(_ one: NSManagedObject, _ other: NSManagedObject) -> Bool {
    one.objectID.persistentStore === other.objectID.persistentStore
  }

  // MARK: Sharing

  private func share(_ zone: String) throws -> CKShare? {
    try container.fetchShares(in: privateStore).first { $0.recordID.zoneID.zoneName == zone }
  }

  private func participant(_ account: String, of share: CKShare) -> CKShare.Participant? {
    share.participants.first { $0.userIdentity.lookupInfo?.emailAddress == "\(account)@example.com" }
  }

  private func invite(_ account: String, to zone: String, _ mayWrite: Bool, _ answer: inout SyncAnswer) async throws {
    guard let share = try share(zone) else { return }
    let person = CKUserIdentity.LookupInfo(emailAddress: "\(account)@example.com")
    for participant in try await container.fetchParticipants(matching: [person], into: privateStore) {
      participant.permission = mayWrite ? .readWrite : .readOnly
      share.addParticipant(participant)
    }
    let saved = try await container.persistUpdatedShare(share, in: privateStore)
    (answer.isDone, answer.url) = (true, saved.url?.absoluteString)
  }

  // MARK: Looking

  private func look(_ answer: inout SyncAnswer) throws {
    let zones = container
    var observation: SyncObservation = [:]
    var unsent: [String] = []
    try context.performAndWait {
      context.refreshAllObjects()
      for entity in SyncSchema.model.entities {
        for object in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")) {
          let key = object.value(forKey: "key") as? String ?? "?"
          guard let zoneID = zones.recordID(for: object.objectID)?.zoneID else {
            unsent.append(key)
            continue
          }
          let isOwn = object.objectID.persistentStore === privateStore
          let zone = SyncZone(owner: isOwn ? account : zoneID.ownerName, name: zoneID.zoneName)
          if observation[zone, default: [:]].updateValue(shown(object), forKey: key) != nil {
            throw ScenarioEnd("\(key) is there twice")
          }
        }
      }
    }
    answer.observations = observation.map { SyncZoneObservation(zone: $0.key, objects: $0.value) }
    answer.unsent = unsent.sorted()
    answer.errors = events.errors
  }

  private func shown(_ object: NSManagedObject) -> SyncObject {
    var shown = SyncObject(entity: object.entity.name ?? "")
    for name in ["text", "memo"] { shown.values[name] = object.value(forKey: name) as? String }
    shown.values["photo"] = SyncPhoto.text(object.value(forKey: "photo") as? Data)
    for name in object.entity.relationshipsByName.keys {
      let targets: [NSManagedObject]
      switch object.value(forKey: name) {
      case let set as NSSet: targets = set.allObjects.compactMap { $0 as? NSManagedObject }
      case let target as NSManagedObject: targets = [target]
      default: targets = []
      }
      if !targets.isEmpty { shown.links[name] = targets.map { $0.value(forKey: "key") as? String ?? "?" }.sorted() }
    }
    return shown
  }
}

/// Bytes that contain their text.
enum SyncPhoto {
  static func data(_ text: String) -> Data { Data(Array(repeating: text, count: 40).joined(separator: "|").utf8) }

  static func text(_ data: Data?) -> String? {
    guard let data else { return nil }
    let parts = String(decoding: data, as: UTF8.self).split(separator: "|")
    return parts.count == 40 && Set(parts).count == 1 ? parts.first.map(String.init) : "\(data.count) other bytes"
  }
}
