import Foundation
import LocalCloudFoundationPredicates

/// The persistent form of a sort descriptor: a field name, a direction, and the location for sorting by distance.
struct SortArchive: Codable {
  var key: String?
  var ascending: Bool
  var relativeLocation: ClientValue.Archive?

  private enum CodingKeys: String, CodingKey {
    case key, ascending
    case relativeLocation = "place"
  }

  init(descriptor: NSSortDescriptor) {
    key = descriptor.key
    ascending = descriptor.ascending
    relativeLocation = (descriptor as? CKLocationSortDescriptor).map {
      ClientValue.location($0.relativeLocation).archive
    }
  }

  var location: CLLocation? {
    guard let relativeLocation, case .location(let location)? = ClientValue(archive: relativeLocation) else {
      return nil
    }
    return location
  }

  /// The descriptor; nil if the location is damaged.
  var descriptor: NSSortDescriptor? {
    guard relativeLocation != nil else { return NSSortDescriptor(key: key, ascending: ascending) }
    guard let key, let location else { return nil }
    return CKLocationSortDescriptor(key: key, relativeLocation: location)
  }
}
