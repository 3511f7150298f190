// Names of Apple's API.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

/// A latitude and a longitude in the WGS 84 frame.
///
/// It is not `Equatable`, as on Apple's platforms, so that an app's own conformance compiles.
public struct CLLocationCoordinate2D: Sendable {
  /// Degrees north of the equator; negative values lie south of it.
  public var latitude: CLLocationDegrees

  /// Degrees east of the prime meridian; negative values lie west of it.
  public var longitude: CLLocationDegrees

  /// Creates the coordinate at zero degrees of latitude and longitude.
  public init() {
    self.init(latitude: 0, longitude: 0)
  }

  /// Creates a coordinate; the values are not checked.
  public init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.latitude = latitude
    self.longitude = longitude
  }
}

/// A coordinate that ``CLLocationCoordinate2DIsValid(_:)`` refuses.
public let kCLLocationCoordinate2DInvalid = CLLocationCoordinate2D(latitude: -180, longitude: -180)

/// Creates a coordinate; the values are not checked.
public func CLLocationCoordinate2DMake(
  _ latitude: CLLocationDegrees, _ longitude: CLLocationDegrees
) -> CLLocationCoordinate2D {
  CLLocationCoordinate2D(latitude: latitude, longitude: longitude)
}

/// Whether the latitude lies between -90 and 90 degrees, and the longitude between -180 and 180.
public func CLLocationCoordinate2DIsValid(_ coord: CLLocationCoordinate2D) -> Bool {
  (-90...90).contains(coord.latitude) && (-180...180).contains(coord.longitude)
}
