import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// One subject of the service. It reaches the other subjects through ``service``.
protocol ServiceSubject: Sendable {
  var service: CloudService { get }
}

extension ServiceSubject {
  var cloud: Cloud { service.cloud }
  var settings: ServiceSettings { service.settings }

  func perform<Answer>(
    _ operation: Operation, by caller: Caller?, on subject: @autoclosure () -> RequestSubject = RequestSubject(),
    errors record: (Answer, inout RequestSubject) -> Void = { _, _ in }, _ body: () throws -> Answer
  ) throws(ServiceError) -> Answer {
    try service.perform(operation, by: caller, on: subject(), errors: record) { _ in try body() }
  }

  /// Like the function above, for a request whose items can fail by a fault rule.
  func perform<Answer>(
    _ operation: Operation, by caller: Caller?, on subject: @autoclosure () -> RequestSubject = RequestSubject(),
    errors record: (Answer, inout RequestSubject) -> Void = { _, _ in }, _ body: (RequestFaults) throws -> Answer
  ) throws(ServiceError) -> Answer {
    try service.perform(operation, by: caller, on: subject(), errors: record, body)
  }

  func waitPolicy(_ caller: Caller?) -> LockWaitPolicy { service.waitPolicy(caller) }
  func newIdentifier(_ count: Int = 16) -> String { service.newIdentifier(count) }
}

extension CloudService {
  package var accounts: AccountService { AccountService(service: self) }
  package var checks: CheckService { CheckService(service: self) }
  package var clock: ClockService { ClockService(service: self) }
  package var devices: DeviceService { DeviceService(service: self) }
  package var faults: FaultService { FaultService(service: self) }
  package var feeds: FeedService { FeedService(service: self) }
  package var keys: KeyService { KeyService(service: self) }
  package var pushes: PushService { PushService(service: self) }
  package var queries: QueryService { QueryService(service: self) }
  package var records: RecordService { RecordService(service: self) }
  package var repairs: RepairService { RepairService(service: self) }
  package var resets: ResetService { ResetService(service: self) }
  package var schemas: SchemaService { SchemaService(service: self) }
  package var sharing: SharingService { SharingService(service: self) }
  package var snapshots: SnapshotService { SnapshotService(service: self) }
  package var subscriptions: SubscriptionService { SubscriptionService(service: self) }
  package var zones: ZoneService { ZoneService(service: self) }
}
