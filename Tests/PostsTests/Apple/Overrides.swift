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

// Access levels: an override in an extension needs the level of its class.

package class PackageCrate: NSManagedObject {}
public class PublicCrate: NSManagedObject {}
open class OpenCrate: NSManagedObject {}
internal class InternalCrate: NSManagedObject {}
private class HiddenCrate: NSManagedObject {}

extension PackageCrate {
  override package class func entity() -> NSEntityDescription { described("package") }
}

// swift-format-ignore: NoAccessLevelOnExtensionDeclaration
package extension PackageCrate {
  override var description: String { "a crate of the package" }
}

extension PublicCrate {
  override public class func entity() -> NSEntityDescription { described("public") }
}

extension OpenCrate {
  override open class func entity() -> NSEntityDescription { described("open") }
}

extension InternalCrate {
  override internal class func entity() -> NSEntityDescription { described("internal") }
}

// swift-format-ignore: NoAccessLevelOnExtensionDeclaration
private extension HiddenCrate {
  override class func entity() -> NSEntityDescription { described("fileprivate") }
}

private func described(_ name: String) -> NSEntityDescription {
  let entity = NSEntityDescription()
  entity.name = name
  return entity
}

func entitiesByAccess() -> [String?] {
  [PackageCrate.self, PublicCrate.self, OpenCrate.self, InternalCrate.self, HiddenCrate.self]
    .map { ($0 as NSManagedObject.Type).entity().name }
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
