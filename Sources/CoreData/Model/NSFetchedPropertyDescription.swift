import Foundation

/// A property with the results of a fetch request as its value: an array of objects, fetched when it is first read.
///
/// The request's predicate may use the object, `$FETCH_SOURCE`, and the property's description, `$FETCHED_PROPERTY`.
// Sendable: see ModelPart.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  private final var request: NSFetchRequest<any NSFetchRequestResult>?

  /// The request that computes the value.
  ///
  /// - Difference: once the model is in use, it is a copy.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get { isFrozen ? request?.duplicate : request }
    set {
      willChange()
      request = newValue
    }
  }

  /// Nothing is validated: the value does not belong to the object.
  override func problems(with value: Any?) -> [(code: Int, predicate: NSPredicate?)] { [] }

  override func hasValues(of other: NSPropertyDescription) -> Bool {
    guard let other = other as? NSFetchedPropertyDescription, super.hasValues(of: other) else { return false }
    return DescriptionEquality.areEqual(request, other.request)
  }

  override var versionText: String {
    super.versionText + VersionHash.line(["fetched"] + (request?.versionTexts ?? ["", ""]))
  }

  /// Returns a copy that belongs to no entity.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchedPropertyDescription()
    copyValues(to: copy)
    copy.request = request?.duplicate
    return copy
  }
}
