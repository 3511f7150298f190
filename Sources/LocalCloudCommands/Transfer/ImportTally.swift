import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Counts the changes that an import has made so far.
struct ImportTally {
  var created = 0
  var updated = 0
  var unchanged = 0
  var skipped = 0
  /// The number of people that get an invitation to a share.
  var invited = 0
  /// The zones that were created.
  var zones: [ZoneIdentifier] = []
  /// Descriptions of the parts of the data that no import can restore.
  private(set) var leftOut: [String] = []
  private(set) var leftOutCount = 0

  private static let maximumListed = 1000

  var records: Int { created + updated + unchanged + skipped }

  mutating func leaveOut(_ text: String) {
    leftOutCount += 1
    if leftOut.count < Self.maximumListed { leftOut.append(text) }
  }

  func object(isDryRun: Bool) -> JSONObject {
    var object: JSONObject = [
      "created": .integer(Int64(created)), "invited": .integer(Int64(invited)),
      "leftOut": .array(leftOut.map(JSONValue.string)), "skipped": .integer(Int64(skipped)),
      "unchanged": .integer(Int64(unchanged)), "updated": .integer(Int64(updated)),
      "zones": .array(zones.map { .object($0.object) }),
    ]
    if isDryRun { object["dryRun"] = true }
    return object
  }

  func text(isDryRun: Bool) -> StyledText {
    let parts = [
      (created, "new"), (updated, "changed"), (unchanged, "as they were"), (skipped, "left alone"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    let list = parts.isEmpty ? "" : ": " + parts.joined(separator: ", ")
    var text: StyledText = "\(isDryRun ? "would import" : "imported") \(records.counted("record"), .bold)\(list)\n"
    for zone in zones { text.append("\(isDryRun ? "would make" : "made") zone \(zone.name)\n" as StyledText) }
    if invited > 0 {
      let people = invited == 1 ? "1 person, who joins" : "\(invited) people, who join"
      text.append("\(isDryRun ? "would invite" : "invited") \(people) with the share's link\n" as StyledText)
    }
    return text
  }

  /// The failure to throw at the end if a part of the data was left out.
  var failure: CommandFailure? {
    guard leftOutCount > 0 else { return nil }
    let listed = leftOut.prefix(5).joined(separator: "; ") + (leftOutCount > 5 ? "; …" : "")
    return CommandFailure(
      .failure, code: "leftOut",
      "all records are in, but \(leftOutCount.counted("thing")) can't be brought: \(listed)",
      details: ["leftOut": .array(leftOut.map(JSONValue.string))])
  }
}
