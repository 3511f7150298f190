import CoreData.CoreDataDefines
import CoreData.NSManagedObjectContext
import Foundation.NSDate

// Overrides that Apple's compiler accepts, in the form that programs use.

/// The class Item is generated for the model.
extension Item {
  override public func awakeFromInsert() {
    super.awakeFromInsert()
    timestamp = Date(timeIntervalSinceReferenceDate: 7)
  }

  public override func validateForInsert() throws {
    try super.validateForInsert()
    if timestamp == .distantPast { throw CocoaError(.validationStringTooShort) }
  }

  public override class func entity() -> NSEntityDescription { super.entity() }
}

@objc(Crate)
class Crate: NSManagedObject {
  @NSManaged var label: String?

  override func prepareForDeletion() { label = "deleted" }
}

/// A subclass of a class with overrides in an extension.
final class SmallCrate: Crate {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    label = "small \(label ?? "")"
  }
}

extension Crate {
  override func awakeFromInsert() {
    super.awakeFromInsert()
    label = "new"
  }

  override func awake(
    fromSnapshotEvents flags: NSSnapshotEventType  // of a rollback
  ) {
    label = "\(flags.rawValue)"
  }

  override var description: String { "a crate" }
}

final class CountingContext: NSManagedObjectContext, @unchecked Sendable {
  private(set) var calls: [String] = []

  override func save() throws {
    calls.append("save")
    try super.save()
  }

  override func perform(_ block: @escaping () -> Void) {
    calls.append("perform")
    super.perform(block)
  }

  override func performAndWait(_ block: () -> Void) {
    calls.append("performAndWait")
    super.performAndWait(block)
  }

  override func fetch(_ request: NSFetchRequest<NSFetchRequestResult>) throws -> [Any] {
    calls.append("fetch")
    return try super.fetch(request)
  }

  func forget() { calls = [] }
}

@objc protocol CrateHolder: class {
  var crate: Crate? { get }
}

final class Shelf: NSObject, CrateHolder {
  weak var crate: Crate?
  private weak var holder: CrateHolder?
}

extension NSPersistentStoreCoordinator {
  required convenience init(entities: [NSEntityDescription]) throws {
    let model = NSManagedObjectModel()
    model.entities = entities
    self.init(managedObjectModel: model)
    try addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
  }
}

/// Passes a block to a function and returns whether the function ran it.
func ran(_ run: (() -> Void) -> Void) -> Bool {
  var isDone = false
  run { isDone = true }
  return isDone
}

func waits(in context: NSManagedObjectContext) -> [Bool] {
  let run: (() -> Void) -> Void = context.performAndWait
  return [ran(run), ran(context.performAndWait), ran(context.performAndWait(_:))]
}
