import CloudKit
import CoreData

extension CoreDataStack: SharingProvider {
  func isShared(object: NSManagedObject) -> Bool {
    return isShared(objectID: object.objectID)
  }

  func isShared(objectID: NSManagedObjectID) -> Bool {
    var isShared = false
    if let persistentStore = objectID.persistentStore {
      if persistentStore == sharedPersistentStore {
        isShared = true
      } else {
        let container = persistentContainer
        do {
          let shares = try container.fetchShares(matching: [objectID])
          if nil != shares.first {
            isShared = true
          }
        } catch let error {
          print("Failed to fetch share for \(objectID): \(error)")
        }
      }
    }
    return isShared
  }

  func participants(for object: NSManagedObject) -> [RenderableShareParticipant] {
    var participants = [CKShare.Participant]()
    do {
      let container = persistentContainer
      let shares = try container.fetchShares(matching: [object.objectID])
      if let share = shares[object.objectID] {
        participants = share.participants
      }
    } catch let error {
      print("Failed to fetch share for \(object): \(error)")
    }
    return participants
  }

  func shares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: RenderableShare] {
    return try persistentContainer.fetchShares(matching: objectIDs)
  }

  func canEdit(object: NSManagedObject) -> Bool {
    return persistentContainer.canUpdateRecord(forManagedObjectWith: object.objectID)
  }

  func canDelete(object: NSManagedObject) -> Bool {
    return persistentContainer.canDeleteRecord(forManagedObjectWith: object.objectID)
  }
}
