import LocalCloudStorage
import LocalCloudStore

/// A push that a commit causes, to be delivered to devices once it is committed.
package struct PlannedPush: Sendable, Equatable {
  /// The names of the devices.
  package var devices: [String]
  /// The line for the devices' logs, without the members that each log adds.
  package var line: JSONObject
  /// The subscription that ends with its first push; this push is sent only if the subscription had none before.
  package var once: SubscriptionReference?
  /// The devices that get the push in another way, or not at all.
  package var faults: [String: PushFault] = [:]

  package init(devices: [String], line: JSONObject, once: SubscriptionReference? = nil) {
    self.devices = devices
    self.line = line
    self.once = once
  }
}

// MARK: In a commit

extension ZoneTransaction {
  /// Delivers a push to devices once this is committed.
  package func push(_ push: PlannedPush) { observerEffects.push(push) }

  /// Ends a subscription with the commit.
  package func withdraw(_ subscription: SubscriptionReference) { observerEffects.withdraw(subscription) }
}

extension ObserverEffects {
  package mutating func push(_ push: PlannedPush) {
    append(to: DeviceObserver.pushes) { commit, index in push.marked(PushMark(commit, part: Int64(index) + 1)).value }
  }

  mutating func withdraw(_ subscription: SubscriptionReference) {
    append(to: DeviceObserver.withdrawals) { _, _ in subscription.value }
  }
}

// MARK: In a journal

extension PlannedPush {
  /// Nil if it can't be read.
  init?(_ item: JSONValue) {
    guard let devices = item["devices"]?.array?.compactMap(\.string), let line = item["line"]?.object else {
      return nil
    }
    self.init(devices: devices, line: line)
    for fault in item["faults"]?.array ?? [] {
      guard let device = fault["device"]?.string, let read = PushFault(fault) else { return nil }
      faults[device] = read
    }
    guard let once = item["once"] else { return }
    guard let reference = SubscriptionReference(once) else { return nil }
    self.once = reference
  }

  var value: JSONValue {
    var object: JSONObject = ["devices": .array(devices.map { .string($0) }), "line": .object(line)]
    if let once { object["once"] = once.value }
    if !faults.isEmpty {
      object["faults"] = .array(
        faults.sorted { ExactName($0.key) < ExactName($1.key) }.map { device, fault in
          var fault = fault.object
          fault["device"] = .string(device)
          return .object(fault)
        })
    }
    return .object(object)
  }

  var mark: PushMark? { PushMark(line[PushMark.key]) }

  /// The line for a device's log, with the fault of its delivery.
  func line(for device: String) -> JSONObject {
    guard let fault = faults[device] else { return line }
    var line = line
    line[PushFault.key] = .object(fault.object)
    return line
  }

  func marked(_ mark: PushMark) -> PlannedPush {
    var push = self
    push.line[PushMark.key] = mark.value
    return push
  }
}

/// Identifies a push of a commit in a line. With it, a replay finds pushes that a device has already.
struct PushMark: Sendable, Hashable {
  /// The mark's key in a line.
  static let key = "commit"

  var commit: CommitMark
  /// The push's number among the commit's pushes, from 1.
  var part: Int64

  init(_ commit: CommitMark, part: Int64) {
    self.commit = commit
    self.part = part
  }

  init?(_ value: JSONValue?) {
    guard let history = value?["history"]?.string, let sequence = value?["sequence"]?.integer,
      let part = value?["part"]?.integer, LogFile.sequences.contains(sequence), part >= 1
    else { return nil }
    self.init(CommitMark(history: history, sequence: sequence), part: part)
  }

  var value: JSONValue {
    [
      "history": .string(commit.history), "part": .integer(part), "sequence": .integer(commit.sequence),
    ]
  }

  /// Whether it is after another mark of its history.
  func follows(_ other: PushMark) -> Bool {
    (commit.sequence, part) > (other.commit.sequence, other.part)
  }
}
