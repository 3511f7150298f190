import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// An action of the system's sharing screen on a share, as it is reported to the programs on the device.
package struct SharingEvent: Sendable, Hashable {
  package enum Outcome: Sendable, Hashable {
    /// The share as it was saved.
    case saved(Record)
    case notSaved(ServiceError)
    /// The owner deleted the share's record, or a participant left.
    case stopped
    case notStopped(ServiceError)
  }

  package var container: String
  package var environment: CloudEnvironment
  /// The user of the screen.
  package var userRecordName: String
  /// Milliseconds since 1970.
  package var sent: Int64
  /// The share's own record.
  package var share: RecordIdentifier
  package var outcome: Outcome

  package init(
    _ outcome: Outcome, of share: RecordIdentifier, by userRecordName: String, _ caller: Caller, at time: Int64
  ) {
    container = caller.container
    environment = caller.environment
    self.userRecordName = userRecordName
    sent = time
    self.share = share
    self.outcome = outcome
  }
}

extension SharingEvent {
  /// The line of the log, without its sequence.
  package var object: JSONObject {
    var object: JSONObject = [
      "containerIdentifier": .string(container), "environment": .string(environment.rawValue),
      "recordName": .string(share.name.string), "sent": .string(Timestamp.text(milliseconds: sent)),
      "userRecordName": .string(userRecordName), "zoneID": .object(share.zone.object),
    ]
    switch outcome {
    case .saved(let record): (object["kind"], object["share"]) = ("save", .object(record.keptObject))
    case .notSaved(let error): (object["kind"], object["error"]) = ("save", .object(error.object))
    case .stopped: object["kind"] = "stop"
    case .notStopped(let error): (object["kind"], object["error"]) = ("stop", .object(error.object))
    }
    return object
  }

  /// Nil if `object` is not a valid line.
  package init?(_ object: JSONObject) {
    guard let container = object["containerIdentifier"]?.string,
      let environment = object["environment"]?.string.flatMap(CloudEnvironment.init),
      let user = object["userRecordName"]?.string,
      let sent = object["sent"]?.string.flatMap(Timestamp.milliseconds(text:)),
      let name = object["recordName"]?.string, let zone = object["zoneID"]?.object.flatMap(ZoneIdentifier.init),
      let outcome = Self.outcome(object)
    else { return nil }
    self.container = container
    self.environment = environment
    userRecordName = user
    self.sent = sent
    share = RecordIdentifier(name: ExactName(name), zone: zone)
    self.outcome = outcome
  }

  private static func outcome(_ object: JSONObject) -> Outcome? {
    let isSave = object["kind"] == "save"
    guard isSave || object["kind"] == "stop" else { return nil }
    if let error = object["error"] {
      return error.object.flatMap(ServiceError.init).map { isSave ? .notSaved($0) : .notStopped($0) }
    }
    guard isSave else { return .stopped }
    guard let record = object["share"]?.object.flatMap(Record.init(kept:)), record.shareDetails != nil else {
      return nil
    }
    return .saved(record)
  }
}
