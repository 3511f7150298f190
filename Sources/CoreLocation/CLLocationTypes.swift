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
