import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Formats the differences between schemas, one line for each.
enum SchemaChangesText {
  static func lines(_ changes: [SchemaChange], none: StyledText) -> StyledText {
    changes.isEmpty ? none : changes.reduce(StyledText()) { $0 + "\($1.text)\n" }
  }

  static func document(_ changes: [SchemaChange]) -> JSONObject {
    [
      "changes": .array(
        changes.map { change in
          var object: JSONObject = [
            "change": .string(change.kind.rawValue), "subject": .string(change.subject.text),
          ]
          object["before"] = change.before.flatMap { $0.isEmpty ? nil : .string($0) }
          object["after"] = change.after.flatMap { $0.isEmpty ? nil : .string($0) }
          return .object(object)
        })
    ]
  }
}
