import LocalCloudStorage
import LocalCloudStore

/// The progress of an import that had to stop.
struct ImportProgress {
  /// The position that was read last; nil if nothing was read.
  var last: ImportPosition?
  /// The positions that were read but are not imported, in order.
  var missing: [ImportPosition]
  var isDryRun: Bool

  var text: String {
    guard !isDryRun else { return "this was a dry run: nothing was imported" }
    guard let last else { return "nothing was imported" }
    var missing = missing.map(\.number)[...]
    var end = last.number
    while missing.last == end {
      missing.removeLast()
      end -= 1
    }
    guard missing.count < end else { return "nothing was imported" }
    let lastImported = last.isLine ? "line \(end)" : "the \(end). thing"
    let but = missing.isEmpty ? "" : ", but for \(Self.ranges(missing))"
    return "imported is all up to \(lastImported)\(but); what is in stays as it is when it is imported again"
  }

  /// `401–800, 1003`
  private static func ranges(_ missing: ArraySlice<Int>) -> String {
    var ranges: [(first: Int, last: Int)] = []
    for number in missing {
      if let end = ranges.last, end.last + 1 >= number {
        ranges[ranges.count - 1].last = number
      } else {
        ranges.append((number, number))
      }
    }
    let texts = ranges.prefix(20).map { $0.first == $0.last ? "\($0.first)" : "\($0.first)–\($0.last)" }
    return texts.joined(separator: ", ") + (ranges.count > 20 ? " and \(ranges.count - 20) more ranges" : "")
  }

  var object: JSONObject {
    [
      "lastRead": last.map { .integer(Int64($0.number)) } ?? .null,
      "notImported": .array(missing.prefix(10_000).map { .integer(Int64($0.number)) }),
    ]
  }
}
