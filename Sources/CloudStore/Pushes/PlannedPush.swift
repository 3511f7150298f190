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

/// Which push of which commit a line is: what tells a replay that a device has it already.
struct PushMark: Sendable, Hashable {
  /// The zone's history, which has no namesake.
  var history: String
  /// The zone's sequence after the commit; of the zone's end, one more.
  var sequence: Int64
  /// Which of the commit's pushes, from 1.
  var part: Int64

  init(history: String, sequence: Int64, part: Int64) {
    self.history = history
    self.sequence = sequence
    self.part = part
  }

  init?(_ value: JSONValue?) {
    guard let history = value?["history"]?.string, let sequence = value?["sequence"]?.integer,
      let part = value?["part"]?.integer, LogFile.sequences.contains(sequence), part >= 1
    else { return nil }
    self.init(history: history, sequence: sequence, part: part)
  }

  var value: JSONValue { ["history": .string(history), "part": .integer(part), "sequence": .integer(sequence)] }

  /// Whether it comes after another one of its history.
  func follows(_ other: PushMark) -> Bool { (sequence, part) > (other.sequence, other.part) }
}
