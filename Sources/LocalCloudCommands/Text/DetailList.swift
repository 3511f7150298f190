import CloudService
import CloudStore
import Storage

/// What is known of one thing, a line each, below its title if it has one.
struct DetailList {
  private let title: StyledText
  private var rows: [(label: String, value: String)] = []

  init(_ title: StyledText = StyledText()) { self.title = title }

  /// Adds nothing where there is no value.
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

/// Devices for people and for programs.
enum DeviceText {
  /// With a null where nobody is signed in.
  static func document(_ device: Device) -> JSONObject {
    ["account": device.account.map { .string($0) } ?? .null, "name": .string(device.name)]
  }
}
