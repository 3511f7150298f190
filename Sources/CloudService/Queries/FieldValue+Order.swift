import LocalCloudModel
import LocalCloudPredicateFormat

extension FieldValue {
  /// Negative, zero or positive; nil for types without a common order. Numbers are compared by value across integer and
  /// double, strings by code point, references by record name.
  func order(to other: FieldValue) -> Int? {
    switch (self, other) {
    case (.string(let one), .string(let two)): one.exactOrder(to: two)
    case (.int64(let one), .int64(let two)): Self.order(one, two)
    case (.double(let one), .double(let two)): Self.order(one, two)
    case (.int64(let one), .double(let two)): Self.order(one, to: two)
    case (.double(let one), .int64(let two)): -Self.order(two, to: one)
    case (.timestamp(let one), .timestamp(let two)): Self.order(one.secondsSince2001, two.secondsSince2001)
    case (.bytes(let one), .bytes(let two)):
      one.elementsEqual(two) ? 0 : one.lexicographicallyPrecedes(two) ? -1 : 1
    case (.reference(let one), .reference(let two)): one.record.string.exactOrder(to: two.record.string)
    case (.location(let one), .location(let two)):
      one.latitude == two.latitude
        ? Self.order(one.longitude, two.longitude) : Self.order(one.latitude, two.latitude)
    default: nil
    }
  }

  private static func order<Value: Comparable>(_ one: Value, _ other: Value) -> Int {
    one < other ? -1 : one > other ? 1 : 0
  }

  /// Compares without rounding the integer, as a double can't represent every integer.
  private static func order(_ integer: Int64, to number: Double) -> Int {
    if number >= 0x1p63 { return -1 }
    if number < -0x1p63 { return 1 }
    let floor = number.rounded(.down)
    let whole = order(integer, Int64(floor))
    return whole == 0 && number > floor ? -1 : whole
  }
}

extension LocationValue {
  /// The distance in metres along the surface, without regard to altitude.
  func distance(to other: LocationValue) -> Double {
    PredicateEvaluator.distance((latitude, longitude), (other.latitude, other.longitude))
  }
}
