import CoreData

@objcMembers final class SaveCounter: NSObject {
  dynamic private(set) var saves = 0

  init(_ context: NSManagedObjectContext) {
    super.init()
    NotificationCenter.default.addObserver(
      self, selector: #selector(didSave(_:)), name: .NSManagedObjectContextDidSave, object: context)
  }

  func didSave(_ notification: Notification) {
    let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
    if !inserted.isEmpty { saves += 1 }
  }
}
