import LocalCloudStorage

/// The change of a push's delivery to one device, by a fault rule.
package struct PushFault: Sendable, Hashable {
  package enum Effect: String, Sendable, CaseIterable {
    /// The push is held back until a time.
    case late
    case lost
    /// The push arrives twice.
    case doubled
    /// The push is held back until the next push of the same container has arrived.
    case reordered
  }

  /// The fault's key in a line.
  static let key = "fault"

  package var rule: String
  package var effect: Effect
  /// The time of a late push, in milliseconds since 1970.
  package var until: Int64?

  package init(rule: String, _ effect: Effect, until: Int64? = nil) {
    self.rule = rule
    self.effect = effect
    self.until = until
  }

  /// Nil if `value` is not a valid fault.
  init?(_ value: JSONValue?) {
    guard let rule = value?["rule"]?.string, let effect = value?["effect"]?.string.flatMap(Effect.init) else {
      return nil
    }
    self.init(rule: rule, effect)
    if let until = value?["until"] {
      guard let until = until.string.flatMap(Timestamp.milliseconds(text:)) else { return nil }
      self.until = until
    }
    if effect == .late, until == nil { return nil }
  }

  var object: JSONObject {
    var object: JSONObject = ["effect": .string(effect.rawValue), "rule": .string(rule)]
    object["until"] = until.map { .string(Timestamp.text(milliseconds: $0)) }
    return object
  }
}
