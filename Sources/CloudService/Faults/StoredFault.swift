import LocalCloudModel
import LocalCloudStorage

/// A rule in force, with its identifier and its counts.
package struct StoredFault: Sendable, Hashable {
  package let id: String
  package let rule: FaultRule
  /// The number of requests or pushes that the rule matched.
  package private(set) var matched = 0
  /// How often the rule fired.
  package private(set) var fired = 0

  init(id: String, rule: FaultRule) {
    self.id = id
    self.rule = rule
  }

  /// Whether the rule has fired as often as it may. It stays listed, and matches nothing any more.
  package var isUsedUp: Bool { rule.schedule.times.map { fired >= $0 } ?? false }

  /// Counts a matching request or push; returns whether the rule fires on it ([fault-3]).
  mutating func count() -> Bool {
    matched += 1
    guard rule.schedule.selects(matched) else { return false }
    fired += 1
    return true
  }

  // MARK: The document

  package var object: JSONObject {
    [
      "fired": .integer(Int64(fired)), "id": .string(id), "matched": .integer(Int64(matched)),
      "rule": .object(rule.object),
    ]
  }

  /// Nil if `value` is not a valid rule in force.
  init?(_ value: JSONValue) {
    guard let id = value["id"]?.string, Self.isIdentifier(id), let matched = value["matched"]?.int,
      let fired = value["fired"]?.int, 0 <= fired, fired <= matched, matched < 1 << 50,
      let rule = value["rule"].flatMap({ try? FaultRule($0) })
    else { return nil }
    self.init(id: id, rule: rule)
    (self.matched, self.fired) = (matched, fired)
  }

  /// Whether the text can be the identifier of a rule: 1 to 32 letters and digits.
  private static func isIdentifier(_ text: String) -> Bool {
    (1...32).contains(text.utf8.count) && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
  }

  // MARK: Errors

  /// The error of a request or an item, if the rule fired on it.
  func error(_ code: ServiceError.Code, retryAfter: Double? = nil) -> ServiceError {
    var error = ServiceError.answer(code)
    error.hint = "The fault rule \(id) did this: `localcloud fault remove \(id)` removes it."
    error.retryAfter = retryAfter
    return error
  }
}
