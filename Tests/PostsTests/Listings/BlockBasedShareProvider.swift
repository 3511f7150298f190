import CoreData

@testable import Posts

class BlockBasedShareProvider: SharingProvider {
  var coreDataStack: CoreDataStack

  init(stack: CoreDataStack) {
    coreDataStack = stack
  }

  func isShared(object: NSManagedObject) -> Bool {
    return isShared(objectID: object.objectID)
  }

  public var isSharedBlock: ((_ object: NSManagedObjectID) -> Bool)? = nil
  func isShared(objectID: NSManagedObjectID) -> Bool {
    guard let block = isSharedBlock else {
      return coreDataStack.isShared(objectID: objectID)
    }
    return block(objectID)
  }

  public var participantsBlock: ((_ object: NSManagedObject) -> [RenderableShareParticipant])? = nil
  func participants(for object: NSManagedObject) -> [RenderableShareParticipant] {
    guard let block = participantsBlock else {
      return coreDataStack.participants(for: object)
    }
    return block(object)
  }

  public var sharesBlock: ((_ objectIDs: [NSManagedObjectID]) -> [NSManagedObjectID: RenderableShare])? = nil
  func shares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: RenderableShare] {
    guard let block = sharesBlock else {
      return try coreDataStack.shares(matching: objectIDs)
    }
    return block(objectIDs)
  }

  public var canEditBlock: ((_ object: NSManagedObject) -> Bool)? = nil
  func canEdit(object: NSManagedObject) -> Bool {
    guard let block = canEditBlock else {
      return coreDataStack.canEdit(object: object)
    }
    return block(object)
  }

  public var canDeleteBlock: ((_ object: NSManagedObject) -> Bool)? = nil
  func canDelete(object: NSManagedObject) -> Bool {
    guard let block = canDeleteBlock else {
      return coreDataStack.canDelete(object: object)
    }
    return block(object)
  }
}
