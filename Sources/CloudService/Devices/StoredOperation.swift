import LocalCloudModel
import LocalCloudStorage

/// A stored long-lived operation: its owner, and its content.
struct StoredOperation: Sendable, Hashable {
  var account: String?
  var container: String
  var environment: CloudEnvironment
  /// Milliseconds since 1970.
  var storedAt: Int64
  var content: StoredContent

  init(_ content: StoredContent, by caller: Caller, at time: Int64) {
    account = caller.account
    container = caller.container
    environment = caller.environment
    storedAt = time
    self.content = content
  }

  /// Without the ID: the store adds it.
  var object: JSONObject {
    var object: JSONObject = [
      "containerIdentifier": .string(container), "environment": .string(environment.rawValue),
      "kept": .string(Timestamp.text(milliseconds: storedAt)),
    ]
    object["account"] = account.map(JSONValue.string)
    content.put(into: &object)
    return object
  }

  /// Nil if `object` is not a valid operation.
  init?(_ object: JSONObject) {
    guard let container = object["containerIdentifier"]?.string, let content = StoredContent(in: object),
      let environment = object["environment"]?.string.flatMap(CloudEnvironment.init),
      let storedAt = object["kept"]?.string.flatMap(Timestamp.milliseconds(text:))
    else { return nil }
    account = object["account"]?.string
    self.container = container
    self.environment = environment
    self.storedAt = storedAt
    self.content = content
  }

  func isOf(_ caller: Caller) -> Bool {
    account == caller.account && container == caller.container && environment == caller.environment
  }
}

/// The answers of a long-lived operation, and the time when it finished.
struct StoredAnswers: Sendable, Hashable {
  /// Milliseconds since 1970.
  var finished: Int64
  var content: StoredContent

  var object: JSONObject {
    var object: JSONObject = ["finished": .string(Timestamp.text(milliseconds: finished))]
    content.put(into: &object)
    return object
  }

  init(_ content: StoredContent, at time: Int64) {
    self.content = content
    finished = time
  }

  /// Nil if `object` does not hold valid answers.
  init?(_ object: JSONObject) {
    guard let content = StoredContent(in: object),
      let finished = object["finished"]?.string.flatMap(Timestamp.milliseconds(text:))
    else { return nil }
    self.content = content
    self.finished = finished
  }

  /// The number of milliseconds for which answers are stored until a program takes them.
  static let milliseconds: Int64 = 24 * 3600 * 1000
}
