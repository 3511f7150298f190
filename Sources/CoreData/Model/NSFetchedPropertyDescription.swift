import CoreDataModel
import Foundation

/// A property whose value is what a fetch request finds.
///
/// - Difference: fetched properties have no values yet; there is no `fetchRequest`.
// Sendable: see ModelPart.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// The request as the model file has it.
  final var fileRequest: ModelFetchRequest?

  /// Nothing is checked: the value is not the object's own.
  override func problems(with value: Any?) -> [(code: Int, predicate: NSPredicate?)] { [] }

  override var versionText: String {
    super.versionText + VersionHash.line("fetched", fileRequest?.entity ?? "", fileRequest?.predicate ?? "")
  }

  /// Returns a copy that belongs to no entity.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchedPropertyDescription()
    copyValues(to: copy)
    copy.fileRequest = fileRequest
    return copy
  }
}
