import CloudKit
import CoreData
import Foundation

/// A problem to print on standard error.
struct Wrong: Error, CustomStringConvertible {
  var description: String
}

func require(_ condition: Bool, _ text: String) throws {
  if !condition { throw Wrong(description: text) }
}

/// A device's copy of the journal.
@MainActor
final class Journal {
  let container: NSPersistentCloudKitContainer
  // Only the initializer writes this property.
  nonisolated(unsafe) private var observer: (any NSObjectProtocol)?
  /// The finished setups, imports and exports: "export", or "export: 3" with the code of its error.
  private(set) var runs: [String] = []

  init(in folder: URL) throws {
    let text = NSAttributeDescription()
    (text.name, text.type, text.isOptional) = ("text", .string, true)
    let entry = NSEntityDescription()
    (entry.name, entry.managedObjectClassName, entry.properties) = ("Entry", "NSManagedObject", [text])
    let model = NSManagedObjectModel()
    model.entities = [entry]
    container = NSPersistentCloudKitContainer(name: "Journal", managedObjectModel: model)
    let description = NSPersistentStoreDescription(url: folder.appendingPathComponent("journal.sqlite"))
    description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
    description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
    description.cloudKitContainerOptions = CKContainer.default().containerIdentifier.map {
      NSPersistentCloudKitContainerOptions(containerIdentifier: $0)
    }
    container.persistentStoreDescriptions = [description]
    observer = NotificationCenter.default.addObserver(
      forName: NSPersistentCloudKitContainer.eventChangedNotification, object: container, queue: nil
    ) { [weak self] notification in
      let key = NSPersistentCloudKitContainer.eventNotificationUserInfoKey
      guard let event = notification.userInfo?[key] as? NSPersistentCloudKitContainer.Event, event.endDate != nil else {
        return
      }
      let name =
        switch event.type {
        case .setup: "setup"
        case .import: "import"
        case .export: "export"
        @unknown default: "something else"
        }
      let run = event.succeeded ? name : "\(name): \((event.error as? CKError)?.code.rawValue ?? 0)"
      Task { @MainActor in self?.runs.append(run) }
    }
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    container.viewContext.automaticallyMergesChangesFromParent = true
  }

  deinit {
    if let observer { NotificationCenter.default.removeObserver(observer) }
  }

  func write(_ text: String) throws {
    let entry = NSEntityDescription.insertNewObject(forEntityName: "Entry", into: container.viewContext)
    entry.setValue(text, forKey: "text")
    try container.viewContext.save()
  }

  func entries() throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Entry")
    request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
    return try container.viewContext.fetch(request)
  }

  var texts: [String] {
    get throws { try entries().compactMap { $0.value(forKey: "text") as? String } }
  }

  /// Waits up to a minute until the condition is true.
  func wait(until what: String, _ isSo: () throws -> Bool) async throws {
    for _ in 0..<3000 {
      if try isSo() { return }
      try await Task.sleep(nanoseconds: 20_000_000)
    }
    throw Wrong(description: "never: \(what); \(runs), \(try texts)")
  }

  /// Shares an entry, and returns the entry's new zone. The share has no link before its export.
  func share(_ entry: NSManagedObject) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
      container.share([entry], to: nil) { ids, share, container, error in
        share?[CKShare.SystemFieldKey.title] = "Journal" as CKRecordValue
        guard let share, ids?.count == 1, let name = container?.containerIdentifier,
          name == CKContainer.default().containerIdentifier
        else { return continuation.resume(throwing: error ?? Wrong(description: "no share")) }
        continuation.resume(returning: share.recordID.zoneID.zoneName)
      }
    }
  }
}
