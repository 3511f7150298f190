import Foundation
import LocalCloudFoundationPredicates

/// The persistent form of a sort descriptor: a field name, a direction, and the location for sorting by distance.
struct SortArchive: Codable {
  var key: String?
  var ascending: Bool
  var place: ClientValue.Archive?

  init(descriptor: NSSortDescriptor) {
    key = descriptor.key
    ascending = descriptor.ascending
    place = (descriptor as? CKLocationSortDescriptor).map { ClientValue.location($0.relativeLocation).archive }
  }

  var location: CLLocation? {
    guard let place, case .location(let location)? = ClientValue(archive: place) else { return nil }
    return location
  }

  /// The descriptor; nil if the location is damaged.
  var descriptor: NSSortDescriptor? {
    guard place != nil else { return NSSortDescriptor(key: key, ascending: ascending) }
    guard let key, let location else { return nil }
    return CKLocationSortDescriptor(key: key, relativeLocation: location)
  }
}
