import Foundation
import LocalCloudCoreDataMirroring
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// Fetches the mirroring's events that stores retain: those that have ended.
open class NSPersistentCloudKitContainerEventRequest: NSPersistentStoreRequest {
  private enum Start {
    case date(Date)
    case event(NSPersistentCloudKitContainer.Event?)
  }

  private final let start: Start
  private final let fetch: ListFetch

  private init(_ start: Start, _ fetch: ListFetch = ListFetch(nil)) {
    self.start = start
    self.fetch = fetch
  }

  /// Fetches the events that began after a date.
  @discardableResult
  open class func fetchEvents(after date: Date) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(.date(date))
  }

  /// Fetches the events after another one; nil for all events.
  ///
  /// - Assumption: those that ended after it, in its store, and in other stores those that began after it began.
  @discardableResult
  open class func fetchEvents(
    after event: NSPersistentCloudKitContainer.Event?
  ) -> NSPersistentCloudKitContainerEventRequest { NSPersistentCloudKitContainerEventRequest(.event(event)) }

  /// Fetches the events that match a request created by ``fetchForEvents()``.
  @discardableResult
  open class func fetchEvents(
    matchingFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(.event(nil), ListFetch(fetchRequest))
  }

  /// A request for all events. Its predicate and order may use the properties of events.
  @discardableResult
  open class func fetchForEvents() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Event")
    request.entity = eventEntity
    return request
  }

  /// The kind of the answer; by default the events.
  open var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events

  /// An independent copy of the request.
  @discardableResult
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPersistentCloudKitContainerEventRequest(start, fetch)
    copy.affectedStores = affectedStores
    copy.resultType = resultType
    return copy
  }

  override func result(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
    var events: [NSPersistentCloudKitContainer.Event] = []
    let stores = context.stores(among: affectedStores)
    for store in stores { events += try self.events(of: store) }
    // The events of one store are already in the order in which they ended.
    if stores.count > 1 { events.sort { $0.startDate < $1.startDate } }
    events = fetch.run(events)
    return NSPersistentCloudKitContainerEventResult(resultType == .events ? events : events.count, resultType)
  }

  private func events(of store: NSPersistentStore) throws -> [NSPersistentCloudKitContainer.Event] {
    let events = try CoreDataError.translating(store.url) {
      try MirroringEvent.all(of: store.objects).map(NSPersistentCloudKitContainerEvent.init)
    }
    switch start {
    case .event(nil): return events
    case .date(let date): return events.filter { $0.startDate > date }
    case .event(let event?):
      if let index = events.firstIndex(where: { $0.identifier == event.identifier }) {
        return Array(events[(index + 1)...])
      }
      return events.filter { $0.startDate > event.startDate }
    }
  }
}

/// The result of a request for events.
open class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {
  /// The kinds of answers of a request for events.
  public enum ResultType: Int, Sendable {
    /// The events: `[NSPersistentCloudKitContainer.Event]`.
    case events = 0
    /// Their number: `Int`.
    case countEvents = 1
  }

  /// The answer, of the type given by ``resultType``.
  open private(set) var result: Any?
  /// The kind of the answer.
  open private(set) var resultType: ResultType

  init(_ result: Any, _ resultType: ResultType) {
    self.result = result
    self.resultType = resultType
  }
}

extension NSPersistentCloudKitContainerEvent: PredicateValueConvertible {
  /// The event as a value in a predicate, with its properties by name.
  package var predicateValue: PredicateValue {
    .object(
      PredicateObject(
        type: "NSPersistentCloudKitContainerEvent", parts: ["identifier": .string(identifier.uuidString)]
      ) { key in
        switch key {
        case "identifier": PredicateValue(object: self.identifier)
        case "storeIdentifier": .string(self.storeIdentifier)
        case "type": .integer(Int64(self.type.rawValue))
        case "startDate": PredicateValue(object: self.startDate)
        case "endDate": PredicateValue(object: self.endDate)
        case "succeeded": .boolean(self.succeeded)
        default: nil
        }
      })
  }
}

private let eventEntity = NSEntityDescription.forRequests(
  "Event",
  [
    ("identifier", .uuid), ("storeIdentifier", .string), ("type", .integer64), ("startDate", .date), ("endDate", .date),
    ("succeeded", .boolean),
  ])
