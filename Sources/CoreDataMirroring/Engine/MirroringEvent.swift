import Foundation
import LocalCloudCloudKitImport
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudStorage

/// One run of the mirroring, at its start or its end: the content of an `NSPersistentCloudKitContainer.Event`.
package struct MirroringEvent: Sendable {
  package typealias Kind = EventEntry.Kind

  package var identifier = UUID()
  package var storeIdentifier: String
  package var kind: Kind
  package var startDate: Date
  /// Nil at the start.
  package var endDate: Date?
  package var succeeded = false
  package var error: (any Error)?

  init(_ kind: Kind, of store: ObjectStore) {
    self.kind = kind
    storeIdentifier = store.identifier
    startDate = Self.now
  }

  mutating func end(_ error: (any Error)?) {
    endDate = Self.now
    succeeded = error == nil
    self.error = error
  }

  /// The present time, rounded as a store rounds it: a stored event equals the event that was posted.
  private static var now: Date { Date(timeIntervalSince1970: systemTimeSeconds()) }
}

extension MirroringEvent {
  /// How many events a store retains. Fewer than ``unchecked`` more are stored until the events are counted.
  ///
  /// - Difference: a store retains its last 1,000 events, each once it has ended.
  static let limit = 1000
  /// The events are counted after this many new ones.
  private static let unchecked: Int64 = 64

  init?(_ entry: EventEntry, storeIdentifier: String) {
    guard let identifier = UUID(uuidString: entry.identifier) else { return nil }
    self.identifier = identifier
    self.storeIdentifier = storeIdentifier
    kind = entry.kind
    startDate = Date(timeIntervalSince1970: entry.start)
    endDate = Date(timeIntervalSince1970: entry.end)
    succeeded = entry.failure == nil
    error = entry.failure?.error
  }

  private var entry: EventEntry {
    EventEntry(
      identifier: identifier.uuidString, kind: kind, start: startDate.timeIntervalSince1970,
      end: (endDate ?? startDate).timeIntervalSince1970, failure: error.map { EventFailure($0) })
  }

  /// Stores the event; removes the oldest events if there are too many.
  func store(in edits: StoreTransaction) throws {
    edits.put(entry.row(edits.newNumber()), in: .events)
    let count = try edits.row(key: StateKey.events, in: .state)?.values["count"]?.integer ?? 0
    let isFull = count + 1 >= Self.unchecked
    try edits.setState(StateKey.events, "count", .integer(isFull ? 0 : count + 1))
    guard isFull else { return }
    let numbers = try edits.rows(prefix: "", in: .events).map(\.id).sorted()
    for old in numbers.dropLast(Self.limit) { edits.remove(old, from: .events) }
  }

  /// The events that a store retains, the oldest first.
  package static func all(of store: ObjectStore) throws -> [MirroringEvent] {
    var entries: [EventEntry] = []
    try store.read { entries = try EventEntry.all($0) }
    return entries.compactMap { MirroringEvent($0, storeIdentifier: store.identifier) }
  }
}

extension EventFailure {
  /// How many records' errors an event stores.
  private static let limit = 100
  /// How many levels of nested errors an event stores.
  private static let depth = 4

  init(_ error: any Error, depth: Int = Self.depth) {
    let error = error as NSError
    self.init(
      domain: error.domain, code: error.code, text: error.localizedDescription, reason: error.localizedFailureReason)
    guard depth > 0 else { return }
    if let cause = error.userInfo[NSUnderlyingErrorKey] as? any Error {
      underlying = [EventFailure(cause, depth: depth - 1)]
    }
    let partial = error.userInfo[CKPartialErrorsByItemIDKey] as? [AnyHashable: any Error] ?? [:]
    items = partial.prefix(Self.limit).compactMap { item, error in
      let failure = EventFailure(error, depth: depth - 1)
      switch item {
      case let record as CKRecord.ID:
        return Item(zone: ZoneLocation(record.zoneID), record: record.recordName, failure: failure)
      case let zone as CKRecordZone.ID: return Item(zone: ZoneLocation(zone), record: nil, failure: failure)
      default: return nil
      }
    }
    items.sort { ($0.zone, $0.record ?? "") < ($1.zone, $1.record ?? "") }
  }

  var error: any Error {
    var userInfo: [String: Any] = [NSLocalizedDescriptionKey: text]
    userInfo[NSLocalizedFailureReasonErrorKey] = reason
    userInfo[NSUnderlyingErrorKey] = underlying.first?.error
    if !items.isEmpty {
      let errors = items.map { item -> (AnyHashable, any Error) in
        let id: NSObject = item.record.map { RecordLocation(item.zone, $0).recordID } ?? item.zone.zoneID
        return (AnyHashable(id), item.failure.error)
      }
      userInfo[CKPartialErrorsByItemIDKey] = Dictionary(errors) { first, _ in first }
    }
    return NSError(domain: domain, code: code, userInfo: userInfo)
  }
}
