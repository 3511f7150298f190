import Foundation
import LocalCloudFoundationPredicates
import LocalCloudObjectStore
import LocalCloudPredicateFormat

/// Fetches the events of the mirroring that stores keep: those that have ended.
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
    super.init()
  }

  /// Fetches the events that began after a date.
  @discardableResult
  open class func fetchEvents(after date: Date) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(.date(date))
  }

  /// Fetches the events after one; all for nil.
  ///
  /// - Assumption: those that ended after it, in its store, and in other stores those that began after it began.
  @discardableResult
  open class func fetchEvents(
    after event: NSPersistentCloudKitContainer.Event?
  ) -> NSPersistentCloudKitContainerEventRequest { NSPersistentCloudKitContainerEventRequest(.event(event)) }

  /// Fetches what a request asks for, which ``fetchForEvents()`` made.
  @discardableResult
  open class func fetchEvents(
    matchingFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
  ) -> NSPersistentCloudKitContainerEventRequest {
    NSPersistentCloudKitContainerEventRequest(.event(nil), ListFetch(fetchRequest))
  }

  /// A request for all events, whose predicate and order may name their properties.
  @discardableResult
  open class func fetchForEvents() -> NSFetchRequest<any NSFetchRequestResult> {
    let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Event")
    request.entity = eventEntity
    return request
  }

  /// What is answered: the events, unless set.
  open var resultType = NSPersistentCloudKitContainerEventResult.ResultType.events

  /// A request for the same, which can be changed by itself.
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
    // Those of one store are in the order in which they ended.
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
      if let place = events.firstIndex(where: { $0.identifier == event.identifier }) {
        return Array(events[(place + 1)...])
      }
      return events.filter { $0.startDate > event.startDate }
    }
  }
}

/// What a request for events found.
open class NSPersistentCloudKitContainerEventResult: NSPersistentStoreResult {
  /// What a request for events answers.
  public enum ResultType: Int, Sendable {
    /// The events: `[NSPersistentCloudKitContainer.Event]`.
    case events = 0
    /// Their number: `Int`.
    case countEvents = 1
  }

  /// What was asked for, of the type that ``resultType`` tells.
  open private(set) var result: Any?
  /// What was asked for.
  open private(set) var resultType: ResultType

  init(_ result: Any, _ resultType: ResultType) {
    self.result = result
    self.resultType = resultType
    super.init()
  }
}

extension NSPersistentCloudKitContainerEvent: PredicateValueConvertible {
  /// The event in a predicate, by the names of its properties.
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
