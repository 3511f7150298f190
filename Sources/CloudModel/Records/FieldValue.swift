import LocalCloudStorage

/// A field's value, in the terms of CloudKit Web Services ([record-json-1]).
package enum FieldValue: Sendable, Hashable {
  case string(String)
  case int64(Int64)
  case double(Double)
  /// - Assumption: dates are returned with all their bits; the Web Services' limit to whole milliseconds does not
  ///   apply.
  /// - Difference: a date with a `timeIntervalSinceReferenceDate` of -0.0 is returned as 0, an equal value: as
  ///   milliseconds since 1970 both are one number. A date more than 10^305 seconds from the beginning of 2001 is
  ///   refused with `invalidArguments`, as most readers of JSON have no number for it.
  case timestamp(Moment)
  case bytes([UInt8])
  case reference(ReferenceValue)
  case location(LocationValue)
  case asset(AssetValue)
  case list(ElementType, [FieldValue])

  /// The types of fields and list elements. Raw values are those of the Web Services.
  package enum ElementType: String, Sendable, CaseIterable {
    case string = "STRING"
    case int64 = "INT64"
    case double = "DOUBLE"
    case timestamp = "TIMESTAMP"
    case bytes = "BYTES"
    case reference = "REFERENCE"
    case location = "LOCATION"
    case asset = "ASSETID"
    /// The unknown element type of an empty list.
    case unknown = "UNKNOWN"
  }

  package var elementType: ElementType? {
    switch self {
    case .string: .string
    case .int64: .int64
    case .double: .double
    case .timestamp: .timestamp
    case .bytes: .bytes
    case .reference: .reference
    case .location: .location
    case .asset: .asset
    case .list: nil
    }
  }

  /// `STRING`, `INT64_LIST`…
  package var typeName: String {
    if case .list(let element, _) = self { return element.rawValue + "_LIST" }
    return elementType?.rawValue ?? ""
  }
}

extension FieldValue {
  /// The targets of its validating references.
  package var validated: Set<ExactName> {
    switch self {
    case .reference(let reference): reference.action == .validate ? [reference.record] : []
    case .list(_, let elements): elements.reduce(into: []) { $0.formUnion($1.validated) }
    default: []
    }
  }
}

package struct ReferenceValue: Sendable, Hashable {
  package enum Action: String, Sendable {
    case none = "NONE"
    case deleteSelf = "DELETE_SELF"
    /// The target must exist, and can't be deleted as long as the reference exists. Only the Web Services have it; the
    /// native enum has no case for it and reads it as `none`.
    case validate = "VALIDATE"
  }

  package var record: ExactName
  /// Nil: the zone of the record that holds the reference.
  package var zone: ZoneIdentifier?
  package var action: Action

  package init(record: ExactName, zone: ZoneIdentifier? = nil, action: Action = .none) {
    self.record = record
    self.zone = zone
    self.action = action
  }
}

/// A location, in degrees, metres and metres per second.
package struct LocationValue: Sendable, Hashable {
  package var latitude: Double
  package var longitude: Double
  package var altitude: Double?
  package var horizontalAccuracy: Double?
  package var verticalAccuracy: Double?
  package var course: Double?
  package var speed: Double?
  package var timestamp: Moment?

  package init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether JSON can represent all its numbers: it has no infinity and no NaN.
  package var isFinite: Bool {
    [latitude, longitude, altitude, horizontalAccuracy, verticalAccuracy, course, speed]
      .allSatisfy { $0?.isFinite != false } && timestamp?.isStorable != false
  }
}
