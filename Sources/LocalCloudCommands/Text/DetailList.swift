import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Formats the details of one item: an optional title, then one line for each detail.
struct DetailList {
  private let title: StyledText
  private var rows: [(label: String, value: String)] = []

  init(_ title: StyledText = StyledText()) { self.title = title }

  /// Adds a line. Does nothing if `value` is nil.
  mutating func add(_ label: String, _ value: String?) {
    if let value { rows.append((label, value)) }
  }

  var text: StyledText {
    let width = rows.reduce(0) { max($0, TextWidth.columns(VisibleText.escape($1.label))) }
    var result = title.isEmpty ? title : title + "\n"
    for row in rows {
      let label = TextWidth.pad(VisibleText.escape(row.label), to: width)
      result.append("  \(label, .dim)  \(row.value)\n" as StyledText)
    }
    return result
  }
}

/// Formats devices for people and for programs.
enum DeviceText {
  /// The condition of a device's network as JSON.
  static func document(_ network: NetworkCondition?) -> JSONObject { network?.object ?? ["condition": "online"] }

  /// `throttled, try again after 30 s, 2 times`
  static func text(_ network: NetworkCondition?) -> String {
    guard let network else { return "online" }
    var words = [network.kind.rawValue]
    if let seconds = network.retryAfter { words.append("try again after \(seconds.secondsText) s") }
    if let times = network.times { words.append(times == 1 ? "once" : "\(times) times") }
    return words.joined(separator: ", ")
  }

  /// The device as JSON. `account` is null if no account is signed in.
  static func document(_ device: Device) -> JSONObject {
    ["account": device.account.map { .string($0) } ?? .null, "name": .string(device.name)]
  }
}
