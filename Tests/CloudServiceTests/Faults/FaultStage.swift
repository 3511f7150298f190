import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport

/// A cloud with the zone `Notes` of alice, and a service with requests that meet the fault rules. Its clock advances only
/// by ``advance(seconds:)``, and its pauses are recorded and take no time.
final class FaultStage: Sendable {
  let cloud: TemporaryCloud
  let service: CloudService
  private let time: Clock
  private let ended: Recorder<[String]>
  private let pauses: Recorder<Double>

  private final class Clock: Sendable {
    let now = Mutex<Int64>(1_900_000_000_000)
  }

  private final class Recorder<Value: Sendable>: Sendable {
    let values = Mutex<[Value]>([])
  }

  init() throws {
    let (time, ended, pauses) = (Clock(), Recorder<[String]>(), Recorder<Double>())
    cloud = try TemporaryCloud()
    var settings = TemporaryCloud.settings(ids: "faults")
    settings.clock = { time.now.withLock { $0 } }
    settings.pause = { seconds in pauses.values.withLock { $0.append(seconds) } }
    settings.interceptor.faults = FaultSwitch(in: cloud.service.cloud, settings)
    settings.interceptor.after = { request in ended.values.withLock { $0.append(request.faults) } }
    service = CloudService(cloud: cloud.service.cloud, settings: settings)
    (self.time, self.ended, self.pauses) = (time, ended, pauses)
    try Person(cloud, "alice").makeZone()
  }

  func person(_ account: String = "alice", device: String? = nil) -> Person {
    Person(cloud, account, device: device, by: service)
  }

  var path: String { cloud.path + "/faults.json" }

  func advance(seconds: Double) { time.now.withLock { $0 += Int64(seconds * 1000) } }

  /// The pauses so far.
  var waits: [Double] { pauses.values.withLock { $0 } }

  /// The rules that fired on the last request that ended.
  var lastFaults: [String] { ended.values.withLock { $0.last ?? [] } }

  @discardableResult
  func add(
    _ effect: FaultRule.Effect, _ schedule: FaultRule.Schedule = FaultRule.Schedule(),
    _ edit: (inout FaultRule.Conditions) -> Void = { _ in }
  ) throws -> StoredFault {
    var conditions = FaultRule.Conditions()
    edit(&conditions)
    return try cloud.service.faults.add([try FaultRule(effect, where: conditions, schedule)])[0]
  }

  /// The rule as it is now.
  func rule(_ id: String) throws -> StoredFault? { try cloud.service.faults.list().first { $0.id == id } }
}

extension FaultRule.Schedule {
  static func fires(after: Int = 0, times: Int? = nil) -> FaultRule.Schedule {
    var schedule = FaultRule.Schedule()
    (schedule.after, schedule.times) = (after, times)
    return schedule
  }
}
