import Foundation

/// A property whose value is what a fetch request finds: an array of objects, fetched when it is first asked for.
///
/// The request's predicate may name the object, `$FETCH_SOURCE`, and the property's description, `$FETCHED_PROPERTY`.
// Sendable: see ModelPart.
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  private final var request: NSFetchRequest<any NSFetchRequestResult>?

  /// What is fetched.
  ///
  /// - Difference: once the model is in use, it is a copy.
  open var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
    get { isFrozen ? request?.duplicate : request }
    set {
      willChange()
      request = newValue
    }
  }

  /// Nothing is checked: the value is not the object's own.
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
