import CoreData
import CoreLocation

/// Stores a post's location as an archive. The cloud gets the archive encrypted.
@objc(LocationTransformer)
final class LocationTransformer: NSSecureUnarchiveFromDataTransformer {
  static let name = NSValueTransformerName(rawValue: "LocationTransformer")

  override class var allowedTopLevelClasses: [AnyClass] { [CLLocation.self] }

  /// To be called before a model that names it is used.
  static func register() {
    ValueTransformer.setValueTransformer(LocationTransformer(), forName: name)
  }
}
