@_exported import Foundation

/// A location on Earth, with altitude, accuracy, course, speed and the time of the measurement.
///
/// Two locations are equal only if they are the same object, as on Apple's platforms.
///
/// - Difference: only what CloudKit needs is here; there is no location manager, floor or source information.
// Sendable: every stored property is a constant of a Sendable type.
open class CLLocation: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
  /// Latitude and longitude.
  public let coordinate: CLLocationCoordinate2D

  /// Metres above mean sea level; valid only if ``verticalAccuracy`` is positive.
  public let altitude: CLLocationDistance

  /// The radius of uncertainty in metres; negative if the coordinate is invalid.
  public let horizontalAccuracy: CLLocationAccuracy

  /// The uncertainty of the altitude in metres; not positive if the altitude is invalid.
  public let verticalAccuracy: CLLocationAccuracy

  /// The direction of travel in degrees from true north; negative if unknown.
  public let course: CLLocationDirection

  /// The uncertainty of the course in degrees; negative if the course is unknown.
  public let courseAccuracy: CLLocationDirectionAccuracy

  /// The speed in metres per second; negative if unknown.
  public let speed: CLLocationSpeed

  /// The uncertainty of the speed in metres per second; negative if the speed is unknown.
  public let speedAccuracy: CLLocationSpeedAccuracy

  /// The time of the measurement.
  public let timestamp: Date

  /// Creates a location from all of its properties.
  public init(
    coordinate: CLLocationCoordinate2D,
    altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection,
    courseAccuracy: CLLocationDirectionAccuracy,
    speed: CLLocationSpeed,
    speedAccuracy: CLLocationSpeedAccuracy,
    timestamp: Date
  ) {
    self.coordinate = coordinate
    self.altitude = altitude
    self.horizontalAccuracy = hAccuracy
    self.verticalAccuracy = vAccuracy
    self.course = course
    self.courseAccuracy = courseAccuracy
    self.speed = speed
    self.speedAccuracy = speedAccuracy
    self.timestamp = timestamp
    super.init()
  }

  /// Creates a location measured now, with only a coordinate.
  ///
  /// - Assumption: horizontal accuracy and altitude are 0, vertical accuracy, course and speed are -1.
  public convenience init(latitude: CLLocationDegrees, longitude: CLLocationDegrees) {
    self.init(
      coordinate: CLLocationCoordinate2D(latitude: latitude, longitude: longitude), altitude: 0,
      horizontalAccuracy: 0, verticalAccuracy: -1, timestamp: Date())
  }

  /// Creates a location with unknown course and speed.
  public convenience init(
    coordinate: CLLocationCoordinate2D,
    altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: -1, speed: -1, timestamp: timestamp)
  }

  /// Creates a location with course and speed of unknown accuracy.
  public convenience init(
    coordinate: CLLocationCoordinate2D,
    altitude: CLLocationDistance,
    horizontalAccuracy hAccuracy: CLLocationAccuracy,
    verticalAccuracy vAccuracy: CLLocationAccuracy,
    course: CLLocationDirection,
    speed: CLLocationSpeed,
    timestamp: Date
  ) {
    self.init(
      coordinate: coordinate, altitude: altitude, horizontalAccuracy: hAccuracy, verticalAccuracy: vAccuracy,
      course: course, courseAccuracy: -1, speed: speed, speedAccuracy: -1, timestamp: timestamp)
  }

  /// The distance in metres along the surface of the Earth, ignoring altitude.
  ///
  /// - Assumption: the great circle on a sphere of 6 371 008.8 m radius; Apple does not document its figure.
  open func distance(from location: CLLocation) -> CLLocationDistance {
    let radians = Double.pi / 180
    let latitudes = (coordinate.latitude * radians, location.coordinate.latitude * radians)
    let latitudeHalf = sin((latitudes.1 - latitudes.0) / 2)
    let longitudeHalf = sin((location.coordinate.longitude - coordinate.longitude) * radians / 2)
    let chord = latitudeHalf * latitudeHalf + cos(latitudes.0) * cos(latitudes.1) * longitudeHalf * longitudeHalf
    return 2 * 6_371_008.8 * asin(min(1, chord.squareRoot()))
  }

  // MARK: Coding and copying

  /// Always true.
  open class var supportsSecureCoding: Bool { true }

  /// Reads a location from an archive; nil if the archive does not hold one.
  public required init?(coder: NSCoder) {
    guard coder.allowsKeyedCoding, coder.containsValue(forKey: Key.latitude), coder.containsValue(forKey: Key.longitude)
    else { return nil }
    coordinate = CLLocationCoordinate2D(
      latitude: coder.decodeDouble(forKey: Key.latitude), longitude: coder.decodeDouble(forKey: Key.longitude))
    altitude = coder.decodeDouble(forKey: Key.altitude)
    horizontalAccuracy = coder.decodeDouble(forKey: Key.horizontalAccuracy)
    verticalAccuracy = coder.decodeDouble(forKey: Key.verticalAccuracy)
    course = coder.decodeDouble(forKey: Key.course)
    courseAccuracy = coder.decodeDouble(forKey: Key.courseAccuracy)
    speed = coder.decodeDouble(forKey: Key.speed)
    speedAccuracy = coder.decodeDouble(forKey: Key.speedAccuracy)
    timestamp = Date(timeIntervalSinceReferenceDate: coder.decodeDouble(forKey: Key.timestamp))
    super.init()
  }

  /// Writes every property to a keyed archive.
  open func encode(with coder: NSCoder) {
    coder.stopIfArchivesAreEmpty()
    coder.encode(coordinate.latitude, forKey: Key.latitude)
    coder.encode(coordinate.longitude, forKey: Key.longitude)
    coder.encode(altitude, forKey: Key.altitude)
    coder.encode(horizontalAccuracy, forKey: Key.horizontalAccuracy)
    coder.encode(verticalAccuracy, forKey: Key.verticalAccuracy)
    coder.encode(course, forKey: Key.course)
    coder.encode(courseAccuracy, forKey: Key.courseAccuracy)
    coder.encode(speed, forKey: Key.speed)
    coder.encode(speedAccuracy, forKey: Key.speedAccuracy)
    coder.encode(timestamp.timeIntervalSinceReferenceDate, forKey: Key.timestamp)
  }

  /// Returns the location itself, because it cannot change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// The coordinate, accuracy, speed, course and time.
  open override var description: String {
    func signed(_ degrees: Double) -> String { String(format: "%+.8f", degrees) }
    let position = "<\(signed(coordinate.latitude)),\(signed(coordinate.longitude))>"
    let motion = String(
      format: "+/- %.2fm (speed %.2f mps / course %.2f)", horizontalAccuracy, speed, course)
    return "\(position) \(motion) @ \(timestamp)"
  }

  private enum Key {
    static let latitude = "latitude"
    static let longitude = "longitude"
    static let altitude = "altitude"
    static let horizontalAccuracy = "horizontalAccuracy"
    static let verticalAccuracy = "verticalAccuracy"
    static let course = "course"
    static let courseAccuracy = "courseAccuracy"
    static let speed = "speed"
    static let speedAccuracy = "speedAccuracy"
    static let timestamp = "timestamp"
  }
}

/// An angle in degrees of latitude or longitude.
public typealias CLLocationDegrees = Double

/// A distance in metres.
public typealias CLLocationDistance = Double

/// The accuracy of a measurement in metres; a negative value means that the measurement is invalid.
public typealias CLLocationAccuracy = Double

/// A speed in metres per second.
public typealias CLLocationSpeed = Double

/// The accuracy of a speed in metres per second; a negative value means that the speed is invalid.
public typealias CLLocationSpeedAccuracy = Double

/// A direction in degrees, clockwise from true north; a negative value means that the direction is invalid.
public typealias CLLocationDirection = Double

/// The accuracy of a direction in degrees; a negative value means that the direction is invalid.
public typealias CLLocationDirectionAccuracy = Double
