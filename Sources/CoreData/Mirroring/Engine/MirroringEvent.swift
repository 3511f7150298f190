import Foundation
import ObjectStore
import Platform
import Storage

/// One run of the mirroring, as it begins and as it ends: what `NSPersistentCloudKitContainer.Event` tells.
package struct MirroringEvent: Sendable {
  package enum Kind: Int, Sendable {
    case setup = 0
    case `import` = 1
    case export = 2
  }

  package var identifier = UUID()
  package var storeIdentifier: String
  package var kind: Kind
  package var startDate: Date
  /// Nil at the beginning.
  package var endDate: Date?
  package var succeeded = false
  package var error: (any Error)?

  init(_ kind: Kind, of store: ObjectStore) {
    self.kind = kind
    storeIdentifier = store.identifier
    startDate = Date(timeIntervalSince1970: Double(systemTimeMilliseconds()) / 1000)
  }

  mutating func end(_ error: (any Error)?) {
    endDate = Date(timeIntervalSince1970: Double(systemTimeMilliseconds()) / 1000)
    succeeded = error == nil
    self.error = error
  }
}

extension MirroringEvent {
  /// As many events as a store keeps, and fewer than ``unchecked`` more until they are counted.
  ///
  /// - Difference: a store keeps its last 1,000 events, each once it has ended.
  static let limit = 1000
  /// After so many events they are counted.
  private static let unchecked: Int64 = 64

  init?(_ row: MirrorRow, storeIdentifier: String) {
    let values = row.values
    guard let identifier = values["identifier"]?.string.flatMap(UUID.init(uuidString:)),
      let kind = values["type"]?.int.flatMap(Kind.init(rawValue:)), let start = values["start"]?.double
    else { return nil }
    self.identifier = identifier
    self.storeIdentifier = storeIdentifier
    self.kind = kind
    startDate = Date(timeIntervalSince1970: start)
    endDate = values["end"]?.double.map(Date.init(timeIntervalSince1970:))
    succeeded = values["succeeded"]?.bool ?? false
    guard let domain = values["errorDomain"]?.string, let code = values["errorCode"]?.int else { return }
    var userInfo: [String: Any] = [:]
    userInfo[NSLocalizedDescriptionKey] = values["errorDescription"]?.string
    userInfo[NSLocalizedFailureReasonErrorKey] = values["errorReason"]?.string
    error = NSError(domain: domain, code: code, userInfo: userInfo)
  }

  private var values: JSONObject {
    var values: JSONObject = [
      "identifier": .string(identifier.uuidString), "type": .integer(Int64(kind.rawValue)),
      "start": .double(startDate.timeIntervalSince1970), "succeeded": .bool(succeeded),
    ]
    values["end"] = endDate.map { .double($0.timeIntervalSince1970) }
    guard let error = error as NSError? else { return values }
    values["errorDomain"] = .string(error.domain)
    values["errorCode"] = .integer(Int64(error.code))
    values["errorDescription"] = .string(error.localizedDescription)
    values["errorReason"] = error.localizedFailureReason.map(JSONValue.string)
    return values
  }

  /// Keeps the event in the store; removes the oldest ones if there are too many.
  func keep(in mirrored: MirroredStore) throws {
    try mirrored.edit { edits in
      let id = edits.transaction.newNumber()
      edits.put(MirrorRow(id: id, values: values), in: .events)
      let count = try edits.row(key: StateKey.events, in: .state)?.values["count"]?.integer ?? 0
      let isFull = count + 1 >= Self.unchecked
      try edits.setState(StateKey.events, "count", .integer(isFull ? 0 : count + 1))
      guard isFull else { return }
      let kept = try edits.rows(prefix: "", in: .events).map(\.id).sorted()
      for old in kept.dropLast(Self.limit) { edits.remove(old, from: .events) }
    }
  }

  /// The events that a store keeps, the oldest first.
  static func all(of store: ObjectStore) throws -> [MirroringEvent] {
    var events: [MirroringEvent] = []
    try store.read { view in
      events = []
      try view.forEachMirrorRow(keyPrefix: "", in: .events) { row in
        if let event = MirroringEvent(row, storeIdentifier: store.identifier) { events.append(event) }
        return true
      }
    }
    return events
  }
}
