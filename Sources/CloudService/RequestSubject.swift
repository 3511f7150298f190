import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The database, zones and items of a request, for the request log and for fault rules.
package struct RequestSubject: Sendable {
  /// A record, a zone or a subscription of a request.
  package struct Item: Sendable {
    /// The record; nil for another item.
    package let record: ExactName?
    /// The zone, or that of the record; nil for a subscription.
    package let zone: ZoneIdentifier?
    /// The subscription's ID; nil for another item.
    package let subscription: String?
    /// The type of a record to be saved; nil for another item.
    let type: String?
    /// The item's error; nil if it succeeded, or if the request failed as a whole.
    package var error: ServiceError?

    fileprivate init(record: RecordIdentifier, type: String? = nil, error: ServiceError? = nil) {
      (self.record, zone, subscription, self.type, self.error) = (record.name, record.zone, nil, type, error)
    }

    fileprivate init(zone: ZoneIdentifier) {
      (record, self.zone, subscription, type) = (nil, zone, nil, nil)
    }

    fileprivate init(subscription: String) {
      (record, zone, self.subscription, type) = (nil, nil, subscription, nil)
    }

    var isRecord: Bool { record != nil }
  }

  /// Nil for a request that concerns no database.
  package var scope: DatabaseScope?
  package var items: [Item] = []
  /// The record type of a query; nil for another request.
  var recordType: String?

  init() {}

  init(_ scope: DatabaseScope, zones: [ZoneIdentifier]? = nil) {
    self.scope = scope
    items = zones?.map(Item.init(zone:)) ?? []
  }

  init(_ scope: DatabaseScope, subscriptions: [String]?) {
    self.scope = scope
    items = subscriptions?.map(Item.init(subscription:)) ?? []
  }

  init(_ request: ModifyRecordsRequest) {
    scope = request.scope
    items = request.saves.map { Item(record: $0.id, type: $0.type) } + request.deletes.map { Item(record: $0) }
  }

  init(_ request: FetchRecordsRequest) {
    scope = request.scope
    items = request.records.map { Item(record: $0) }
  }

  init(_ request: QueryRecordsRequest) {
    self.init(request.scope, zones: request.zone.map { [$0] })
    recordType = request.query.recordType
  }

  init(_ request: ModifyZonesRequest) { self.init(request.scope, zones: request.saves + request.deletes) }

  init(_ request: ModifySubscriptionsRequest) {
    self.init(request.scope, subscriptions: request.saves.map(\.subscription.id) + request.deletes)
  }
}

/// Errors of single items in the answers.
extension RequestSubject {
  static func report(_ response: ModifyRecordsResponse, to subject: inout RequestSubject) {
    subject.setErrors(response.saves.map(\.failure) + response.deletes.map(\.failure))
  }

  static func report(_ response: ModifyZonesResponse, to subject: inout RequestSubject) {
    subject.setErrors(response.saves.map(\.failure) + response.deletes.map(\.failure))
  }

  static func report(_ response: ModifySubscriptionsResponse, to subject: inout RequestSubject) {
    subject.setErrors(response.saves.map(\.failure) + response.deletes.map(\.failure))
  }

  static func report<Value>(_ results: [Result<Value, ServiceError>], to subject: inout RequestSubject) {
    subject.setErrors(results.map(\.failure))
  }

  /// Adds the records that the feed could not report.
  static func report(_ changes: ZoneChanges, to subject: inout RequestSubject) {
    subject.items += changes.failed.map { Item(record: $0.record, error: $0.error) }
  }

  /// Sets the errors of the items, in their order. A list of all zones or subscriptions names no items before.
  private mutating func setErrors(_ errors: [ServiceError?]) {
    for (index, error) in errors.enumerated() where index < items.count { items[index].error = error }
  }
}

extension Result where Failure == ServiceError {
  fileprivate var failure: ServiceError? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// A request that ended.
package struct EndedRequest: Sendable {
  package var operation: Operation
  package var caller: Caller?
  /// The error of the request as a whole.
  package var error: ServiceError?
  package var subject: RequestSubject
  /// The identifiers of the fault rules that fired on it.
  package var faults: [String] = []
  package var nanoseconds: UInt64
}
