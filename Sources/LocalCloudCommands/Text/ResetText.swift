import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// Formats the effects of a reset, as text and as JSON.
struct ResetText {
  let people: People

  static func document(_ reset: ResetResult) -> JSONObject {
    [
      "accounts": .array(reset.accounts.map { .string($0) }), "clockReset": .bool(reset.isClockReset),
      "faultCount": .integer(Int64(reset.faults)),
      "messageCount": .integer(Int64(reset.messages)),
      "operationCount": .integer(Int64(reset.operations)), "pushCount": .integer(Int64(reset.pushes)),
      "recordCount": .integer(Int64(reset.records)),
      "schemas": .array(
        reset.schemas.map { schema in
          var document = SchemaChangesText.document(schema.changes)
          document["containerIdentifier"] = .string(schema.container)
          document["environment"] = .string(schema.environment.rawValue)
          return .object(document)
        }), "subscriptionCount": .integer(Int64(reset.subscriptions)),
      "zones": .array(reset.zones.map { .object($0.object) }),
    ]
  }

  /// A line with the counts, and one for each zone, schema and account, and for the clock.
  func lines(_ reset: ResetResult, of what: String) -> StyledText {
    let counts: [(Int, String)] = [
      (reset.zones.count, "zone"), (reset.records, "record"), (reset.subscriptions, "subscription"),
      (reset.pushes, "push"), (reset.messages, "opened link"), (reset.operations, "long-lived operation"),
      (reset.faults, "fault rule"), (reset.schemas.count, "schema"), (reset.accounts.count, "account"),
    ].filter { $0.0 > 0 }
    let total = counts.map { $0.counted($1) }.joined(separator: ", ")
    var text: StyledText = "reset \(what, .bold): \(total.isEmpty ? "no data" : total)\n"
    for zone in reset.zones {
      let name = Self.name(of: zone.zone, people)
      text.append(
        "- \(name), \(zone.environment.rawValue) of \(zone.container): \(zone.records.counted("record"))\n"
          as StyledText)
    }
    for schema in reset.schemas {
      text.append("- schema, \(schema.environment.rawValue) of \(schema.container)\n" as StyledText)
    }
    for account in reset.accounts { text.append("- account \(account)\n" as StyledText) }
    if reset.isClockReset { text.append("- the cloud's clock\n" as StyledText) }
    return text
  }

  static func name(of zone: ZoneIdentifier, _ people: People) -> String {
    zone.owner == ZoneIdentifier.currentUser ? "the public database" : RecordText(people: people).zoneName(zone)
  }
}
