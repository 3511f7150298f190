import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage

/// A request as fault rules see it.
struct FaultyRequest {
  var operation: Operation
  var caller: Caller
  var subject: RequestSubject
}

/// The delivery of a push to one device, as fault rules see it.
struct FaultyPush {
  var account: String
  var device: String
  var container: String
  var environment: CloudEnvironment
  var database: DatabaseScope
  var zone: ExactName
  /// The record of a query subscription's push; nil for other pushes.
  var recordName: ExactName?
  var recordType: String?
}

extension FaultRule {
  /// Whether the rule counts the request.
  func matches(_ request: FaultyRequest) -> Bool {
    let caller = request.caller
    guard effect.accepts(request.operation), conditions.operation.map({ $0 == request.operation }) ?? true,
      conditions.matches(
        account: caller.account, device: caller.device ?? caller.account.map(Account.defaultDevice(of:)),
        caller.container, caller.environment, request.subject.scope)
    else { return false }
    let items = request.subject.items
    switch effect {
    case .indexLag:
      // The other conditions select the records that the query does not find.
      return FaultRule.Conditions.accepts(conditions.recordType, request.subject.recordType)
    case .itemError:
      return items.contains { item in item.isRecord == request.operation.isForRecords && conditions.matches(item) }
    default:
      if items.isEmpty { return conditions.matches(record: nil, zone: nil, type: request.subject.recordType) }
      return items.contains { item in
        conditions.matches(record: item.record, zone: item.zone?.name, type: item.type ?? request.subject.recordType)
      }
    }
  }

  /// Whether the rule counts the delivery.
  func matches(_ push: FaultyPush) -> Bool {
    isForPushes
      && conditions.matches(
        account: push.account, device: push.device, push.container, push.environment, push.database)
      && conditions.matches(record: push.recordName, zone: push.zone, type: push.recordType)
  }
}

extension FaultRule.Conditions {
  fileprivate func matches(
    account: String?, device: String?, _ container: String, _ environment: CloudEnvironment, _ database: DatabaseScope?
  ) -> Bool {
    Self.accepts(self.account, account) && Self.accepts(self.device, device)
      && Self.accepts(self.container, container) && (self.environment.map { $0 == environment } ?? true)
      && (self.database.map { $0 == database } ?? true)
  }

  fileprivate func matches(_ item: RequestSubject.Item) -> Bool {
    matches(record: item.record, zone: item.zone?.name, type: item.type)
  }

  func matches(record: ExactName?, zone: ExactName?, type: String?) -> Bool {
    (self.zone.map { $0 == zone } ?? true) && (recordName.map { $0 == record } ?? true)
      && Self.accepts(recordType, type)
  }

  fileprivate static func accepts(_ condition: String?, _ value: String?) -> Bool {
    condition.map { condition in value?.hasSameBytes(as: condition) ?? false } ?? true
  }
}

extension Operation {
  fileprivate var isForRecords: Bool { self == .modifyRecords || self == .fetchRecords }
}

// MARK: Conditions that no request meets

extension FaultRule {
  /// The parts of a request that conditions can name.
  fileprivate enum Part: String, CaseIterable {
    case database, zone
    case recordName = "record"
    case recordType = "record type"
  }

  /// A rule that is in force already is read without this check.
  ///
  /// - Throws: `invalidArguments` for a condition that no request of the rule's operation can meet.
  func checkIsMeetable() throws(ServiceError) {
    guard let operation = conditions.operation else { return }
    // The conditions of a lag select the records that a query does not find.
    if case .indexLag = effect { return }
    let missing = Part.allCases.first { conditions.names($0) && !operation.parts.contains($0) }
    guard let part = missing else { return }
    throw .invalid("A request of \(operation.rawValue) names no \(part.rawValue), so the fault rule would never fire")
  }
}

extension FaultRule.Conditions {
  fileprivate func names(_ part: FaultRule.Part) -> Bool {
    switch part {
    case .database: database != nil
    case .zone: zone != nil
    case .recordName: recordName != nil
    case .recordType: recordType != nil
    }
  }
}

extension Operation {
  /// The parts that a request of this kind names, as ``RequestSubject`` has them.
  fileprivate var parts: [FaultRule.Part] {
    switch self {
    case .modifyRecords: [.database, .zone, .recordName, .recordType]
    case .fetchRecords: [.database, .zone, .recordName]
    case .queryRecords: [.database, .zone, .recordType]
    case .zoneChanges, .modifyZones, .fetchZones: [.database, .zone]
    case .databaseChanges, .modifySubscriptions, .fetchSubscriptions: [.database]
    default: []
    }
  }
}
