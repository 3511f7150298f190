import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage

/// Formats the setting of the cloud's clock, as text and as JSON, and parses durations.
struct ClockText {
  private let setting: ClockSetting?
  private let time: String

  /// - Parameters:
  ///   - setting: nil for the machine's clock.
  ///   - machine: the time of the machine's clock.
  init(_ setting: ClockSetting?, machine: Int64 = systemTimeMilliseconds()) {
    self.setting = setting
    time = Timestamp.text(milliseconds: setting?.time(machine: machine) ?? machine)
  }

  /// Whether it is another clock than the machine's.
  var isSet: Bool { setting != nil }

  var document: JSONObject {
    var document: JSONObject = ["time": .string(time)]
    switch setting {
    case nil: document["state"] = "system"
    case .fixed: document["state"] = "fixed"
    case .offset(let milliseconds):
      document["state"] = "offset"
      document["offset"] = .double(Double(milliseconds) / 1000)
    }
    return document
  }

  var text: StyledText {
    switch setting {
    case nil, .offset(0): "the machine's clock: \(time)"
    case .fixed: "fixed at \(time, .bold)"
    case .offset(let milliseconds):
      "runs \(Self.text(milliseconds.magnitude)) \(milliseconds > 0 ? "ahead of" : "behind") the machine's clock: \(time)"
    }
  }

  // MARK: Durations

  /// The units with their milliseconds, the longest first.
  private static let units: [(name: String, milliseconds: UInt64)] = [
    ("w", 604_800_000), ("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
  ]

  /// `1h30m`
  static func text(_ milliseconds: UInt64) -> String {
    var rest = milliseconds
    var text = ""
    for unit in units where rest >= unit.milliseconds {
      text += "\(rest / unit.milliseconds)\(unit.name)"
      rest %= unit.milliseconds
    }
    return text.isEmpty ? "0s" : text
  }

  /// The milliseconds of a text such as `90`, `1.5h`, `+2h` or `1h30m`. A number without a unit is one of seconds. Nil
  /// for another text, and for more than 100,000 years.
  static func milliseconds(_ text: String) -> Int64? {
    var rest = text.dropFirst(text.hasPrefix("+") ? 1 : 0)
    var total = 0.0
    var isFirst = true
    repeat {
      guard let count = number(&rest) else { return nil }
      let name = rest.prefix { $0.isLetter }
      let isBare = isFirst && rest.isEmpty
      guard let unit = units.first(where: { $0.name == (isBare ? "s" : name) }) else { return nil }
      rest = rest.dropFirst(name.count)
      total += count * Double(unit.milliseconds)
      isFirst = false
    } while !rest.isEmpty
    return total < 3e15 ? Int64(total.rounded()) : nil
  }

  /// Removes a decimal number without a sign from the beginning of `text`; nil if there is none.
  private static func number(_ text: inout Substring) -> Double? {
    let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
    guard let first = digits.first, first.isNumber, digits.last?.isNumber == true else { return nil }
    text = text.dropFirst(digits.count)
    return Double(digits)
  }
}
