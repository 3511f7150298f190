import LocalCloudModel
import LocalCloudStorage

/// How the clock of a cloud differs from the machine's clock ([clock-2]). A cloud without a setting has the machine's
/// clock.
package enum ClockSetting: Sendable, Hashable {
  /// The clock stands still at this time, in milliseconds since 1970.
  case fixed(Int64)
  /// The clock runs, and shows this many milliseconds more than the machine's clock; a negative number: less.
  case offset(Int64)

  /// The times that a clock may show: the years 1 to 9998. A clock that runs stays in the years that a text can have.
  static let times: Range<Int64> = -62_135_596_800_000..<253_370_764_800_000

  /// The time that the clock shows while the machine's clock shows `machine`.
  package func time(machine: Int64) -> Int64 {
    switch self {
    case .fixed(let time): time
    case .offset(let milliseconds): machine + milliseconds
    }
  }

  /// The setting of the clock after a step.
  ///
  /// - Throws: `invalidArguments` if no clock can have the result.
  func moved(by milliseconds: Int64, machine: Int64) throws(ServiceError) -> ClockSetting {
    let start =
      switch self {
      case .fixed(let value), .offset(let value): value
      }
    let (value, isOverflow) = start.addingReportingOverflow(milliseconds)
    if isOverflow { throw .noSuchTime }
    let moved: ClockSetting =
      switch self {
      case .fixed: .fixed(value)
      case .offset: .offset(value)
      }
    try moved.check(machine: machine)
    return moved
  }

  /// - Throws: `invalidArguments` if the clock would show a time outside of ``times``.
  func check(machine: Int64) throws(ServiceError) {
    guard isInRange, Self.times.contains(time(machine: machine)) else { throw .noSuchTime }
  }

  /// Whether the numbers are small enough for ``time(machine:)``.
  private var isInRange: Bool {
    switch self {
    case .fixed(let time): Self.times.contains(time)
    case .offset(let milliseconds): milliseconds.magnitude < Self.times.upperBound.magnitude * 2
    }
  }
}

// MARK: The document

extension ClockSetting {
  static let keys: Set = ["fixed", "offset"]

  var object: JSONObject {
    switch self {
    case .fixed(let time): ["fixed": .string(Timestamp.text(milliseconds: time))]
    case .offset(let milliseconds): ["offset": .integer(milliseconds)]
    }
  }

  /// Nil if `object` is not a valid document.
  init?(_ object: JSONObject) {
    switch (object["fixed"], object["offset"]) {
    case (let fixed?, nil):
      guard let time = fixed.string.flatMap(Timestamp.milliseconds(text:)) else { return nil }
      self = .fixed(time)
    case (nil, let offset?):
      guard let milliseconds = offset.integer else { return nil }
      self = .offset(milliseconds)
    default: return nil
    }
    if !isInRange || object.count != 1 { return nil }
  }
}

extension ServiceError {
  fileprivate static let noSuchTime = ServiceError.invalid("The clock can only show times of the years 1 to 9998")
}
