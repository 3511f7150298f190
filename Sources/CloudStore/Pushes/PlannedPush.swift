import Storage

/// A push that a commit will cause.
package struct PlannedPush: Sendable {
  /// Names of devices.
  package var devices: [String]
  /// The line for the devices' logs, but for its place there and which push of which commit it is.
  package var line: JSONObject
  /// The subscription that ends with it.
  package var once: SubscriptionReference?

  package init(devices: [String], line: JSONObject, once: SubscriptionReference? = nil) {
    self.devices = devices
    self.line = line
    self.once = once
  }

  static func numbered(_ pushes: [PlannedPush], history: String, sequence: Int64) -> [OutsideEffects.Push] {
    pushes.enumerated().map { place, push in
      var line = push.line
      line["commit"] = PushMark(history: history, sequence: sequence, part: Int64(place) + 1).value
      return OutsideEffects.Push(devices: push.devices, line: line, once: push.once)
    }
  }
}
