import CloudKit
import Foundation
import LocalCloud
import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization
import TestSupport
import Testing

@Suite("A device that is offline or throttled, or that loses replies")
struct NetworkTests {
  private let cloud: TestCloud
  private let container: CKContainer
  private var alice: CKDatabase { container.privateCloudDatabase }

  init() async throws {
    cloud = try TestCloud()
    container = try cloud.container(of: "alice")
    try await container.privateCloudDatabase.save(CKRecordZone(zoneID: testZoneID))
  }

  private func set(_ network: LocalCloud.Network, times: Int? = nil, device: String? = nil) throws {
    try LocalCloud.acting(as: "alice", device: device, root: cloud.cloud.path) {
      try LocalCloud.setNetwork(network, times: times)
    }
  }

  private func error(_ body: () async throws -> Void) async throws -> CKError {
    do { try await body() } catch { return try #require(error as? CKError) }
    throw CocoaError(.featureUnsupported)
  }

  /// The content of the device's network file; nil if there is none.
  private func document(_ device: String = "alice-device") throws -> String? {
    let path = cloud.cloud.path + "/devices/\(device)/network.json"
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    return try String(contentsOfFile: path, encoding: .utf8)
  }

  @Test(
    "offline: each request fails as a whole with a network error beneath, and has no effect ([network-1])")
  func offlineEachRequestFailsAsAWhole() async throws {
    try set(.offline)
    let error = try await error { try await alice.save(note("n", "a")) }
    #expect(error.code == .networkUnavailable)
    #expect(error.retryAfterSeconds == nil)
    let below = try #require(error.userInfo[NSUnderlyingErrorKey] as? NSError)
    #expect(below.domain == NSURLErrorDomain)
    #expect(below.code == -1009)
    #expect(error.localizedDescription == "The Internet connection appears to be offline.")
    #expect(error.description.contains(#""Network Unavailable" (3/NSURLErrorDomain:-1009)"#))
    let suggestion = try #require(error.userInfo[NSLocalizedRecoverySuggestionErrorKey] as? String)
    #expect(suggestion.contains("`localcloud device network online --device alice-device`"))
    let requests: [(String, () async throws -> Void)] = [
      ("modify", { _ = try await self.alice.modifyRecords(saving: [note("n")], deleting: []) }),
      ("fetch", { _ = try await self.alice.record(for: note("n").recordID) }),
      ("several", { _ = try await self.alice.records(for: [note("n").recordID]) }),
      (
        "query",
        { _ = try await self.alice.records(matching: CKQuery(recordType: "Note", predicate: .init(value: true))) }
      ),
      ("zones", { _ = try await self.alice.allRecordZones() }),
      ("save zone", { _ = try await self.alice.save(CKRecordZone(zoneName: "Other")) }),
      ("zone changes", { _ = try await self.alice.recordZoneChanges(inZoneWith: testZoneID, since: nil) }),
      ("database changes", { _ = try await self.alice.databaseChanges(since: nil) }),
      ("subscriptions", { _ = try await self.alice.allSubscriptions() }),
      ("subscribe", { _ = try await self.alice.save(CKDatabaseSubscription(subscriptionID: "s")) }),
      ("public", { _ = try await self.container.publicCloudDatabase.record(for: CKRecord.ID(recordName: "p")) }),
      ("participant", { _ = try await self.container.shareParticipant(forEmailAddress: "bob@example.com") }),
    ]
    for (name, request) in requests { #expect(await code { try await request() } == .networkUnavailable, "\(name)") }
    // Other devices of the same account are online.
    let phone = try LocalCloud.acting(as: "alice", device: "phone", root: cloud.cloud.path) { cloud.container() }
    #expect(try await phone.privateCloudDatabase.allRecordZones().contains { $0.zoneID == testZoneID })
    #expect(await code { _ = try await phone.privateCloudDatabase.record(for: note("n").recordID) } == .unknownItem)
    try set(.online)
    try await alice.save(note("n", "b"))
    #expect(try document() == nil)
  }

  @Test("the client refuses more than 400 items before any request, without a server message ([record-limit-3])")
  func tooManyItemsNeedNoNetwork() async throws {
    try set(.offline)
    let records = (0...400).map { note("n\($0)") }
    let recordIDs = records.map(\.recordID)
    let zoneIDs = recordIDs.map { CKRecordZone.ID(zoneName: $0.recordName) }
    let requests: [(String, () async throws -> Void)] = [
      ("saves", { _ = try await self.alice.modifyRecords(saving: records, deleting: []) }),
      ("both", { _ = try await self.alice.modifyRecords(saving: [records[0]], deleting: Array(recordIDs[1...])) }),
      ("records", { _ = try await self.alice.records(for: recordIDs) }),
      ("zones", { _ = try await self.alice.recordZones(for: zoneIDs) }),
      ("delete zones", { _ = try await self.alice.modifyRecordZones(saving: [], deleting: zoneIDs) }),
      ("subscriptions", { _ = try await self.alice.subscriptions(for: recordIDs.map(\.recordName)) }),
      (
        "delete subscriptions",
        { _ = try await self.alice.modifySubscriptions(saving: [], deleting: recordIDs.map(\.recordName)) }
      ),
    ]
    let text =
      "Your request contains 401 items which is more than the maximum number of items in a single request (400)"
    for (name, request) in requests {
      let error = try await error(request)
      #expect(error.code == .limitExceeded, "\(name)")
      #expect(error.localizedDescription == text, "\(name)")
      #expect(error.userInfo["ServerErrorDescription"] == nil, "\(name)")
      let below = error.userInfo[NSUnderlyingErrorKey] as? NSError
      #expect(below?.domain == "CKInternalErrorDomain" && below?.code == 1020, "\(name)")
      #expect(error.description.contains(#""Limit Exceeded" (27/1020); "\#(text)"; op = "#), "\(name)")
    }
    // 400 pass the client, and need the network; an ID that is fetched twice counts once.
    let most = Array(recordIDs.dropLast())
    #expect(await code { _ = try await self.alice.records(for: most + most) } == .networkUnavailable)
  }

  @Test("unreachable: a request fails with networkFailure ([network-1])")
  func unreachableARequestFailsWithNetworkFailure() async throws {
    try set(.unreachable)
    let error = try await error { try await alice.save(note("n")) }
    #expect(error.code == .networkFailure)
    #expect(error.retryAfterSeconds == nil)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == -1004)
  }

  @Test("requests for data of the device itself need no network ([network-2])")
  func ownKnowledge() async throws {
    let user = try await container.userRecordID()
    try set(.offline)
    #expect(try await container.accountStatus() == .available)
    #expect(try await container.userRecordID() == user)
    #expect(try await container.allLongLivedOperationIDs() == [])
    #expect(await code { _ = try await alice.record(for: user) } == .networkUnavailable)
  }

  @Test(
    "throttled: a request fails with a retry time, and so do all requests before it is over ([network-3], [network-6])")
  func throttledARequestFailsWithARetry() async throws {
    let service = cloud.cloud.service
    let time = Mutex<Int64>(1_800_000_000_000)
    try service.devices.setNetwork(NetworkCondition(.throttled, retryAfter: 20, times: 2), of: "alice-device")
    var settings = ServiceSettings()
    settings.clock = { time.withLock { $0 } }
    NetworkSwitch(of: "alice-device", in: service.cloud, settings).install(in: &settings.interceptor)
    let throttled = CloudService(cloud: service.cloud, settings: settings)
    func request() -> ServiceError? {
      do throws(ServiceError) {
        _ = try throttled.zones.list(nil, in: .private, by: cloud.cloud.caller("alice"))
      } catch {
        return error
      }
      return nil
    }
    for _ in 0..<2 {
      let first = request()
      #expect(first?.code == .serviceUnavailable)
      #expect(first?.internalCode == 2022)
      #expect(first?.retryAfter == 20)
      time.withLock { $0 += 12_500 }
      let second = request()
      #expect(second?.code == .requestRateLimited)
      #expect(second?.internalCode == 2061)
      #expect(second?.retryAfter == 7.5)
      time.withLock { $0 += 7_499 }
      #expect(request()?.code == .requestRateLimited)
      // A clock that is set back does not lengthen the wait.
      time.withLock { $0 += 1 }
    }
    #expect(try document() != nil)
    #expect(request() == nil)
    #expect(try document() == nil)
  }

  @Test("errors for throttled, unavailable and busy contain the retry time ([network-3], [network-4])")
  func retryAfter() async throws {
    try set(.throttled(retryAfter: 300))
    let first = try await error { try await alice.save(note("n")) }
    #expect(first.code == .serviceUnavailable)
    #expect(first.retryAfterSeconds == 300)
    #expect(first.description.contains(#""Service Unavailable" (6/2022); "Request failed with http status code 503""#))
    let second = try await error { _ = try await alice.record(for: note("n").recordID) }
    #expect(second.code == .requestRateLimited)
    #expect(second.description.contains("(7/2061); \"Operation throttled by"))
    let left = try #require(second.userInfo[CKErrorRetryAfterKey] as? NSNumber).doubleValue
    #expect(left > 0)
    #expect(left <= 300)
    try set(.unavailable(retryAfter: 2))
    for _ in 0..<2 {
      let error = try await error { try await alice.save(note("n")) }
      #expect(error.code == .serviceUnavailable)
      #expect(error.retryAfterSeconds == 2)
    }
    try set(.busy(retryAfter: 3), times: 1)
    let busy = try await error { try await alice.save(note("n")) }
    #expect(busy.code == .zoneBusy)
    #expect(busy.retryAfterSeconds == 3)
    try await alice.save(note("n"))
  }

  @Test("reply lost: a change takes effect although its request fails, and a read succeeds ([network-5], [network-6])")
  func lostReply() async throws {
    try set(.replyLost, times: 2)
    #expect(try await alice.allRecordZones().count == 2)
    let error = try await error { try await alice.save(note("n", "sent")) }
    #expect(error.code == .serverResponseLost)
    #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == -1005)
    let saved = try await alice.record(for: note("n").recordID)
    #expect(saved["title"] == "sent")
    // Repeating the save gives a conflict, and no second record.
    #expect(await code { try await alice.save(note("n", "sent")) } == .serverResponseLost)
    #expect(await code { try await alice.save(note("n", "sent")) } == .serverRecordChanged)
    let changes = try await alice.recordZoneChanges(inZoneWith: testZoneID, since: nil)
    #expect(changes.modificationResultsByID.count == 1)
    #expect(try document() == nil)
  }

  @Test("pushes wait while the device is offline, and are delivered in order afterwards ([network-7])")
  func pushesWaitWhileTheDeviceIsOffline() async throws {
    try await alice.save(CKRecordZoneSubscription(zoneID: testZoneID, subscriptionID: "zone"))
    try set(.offline, device: "phone")
    let (path, received) = (cloud.cloud.path, Collector<Bool>())
    let listener = try LocalCloud.acting(as: "alice", device: "phone", root: path) {
      try LocalCloud.onPush(in: cloud.container()) { _ in
        received.append(FileManager.default.fileExists(atPath: path + "/devices/phone/network.json"))
      }
    }
    for name in ["a", "b"] { try await alice.save(note(name)) }
    let location = try cloud.cloud.service.pushes.pushLocation(of: cloud.cloud.caller("alice", device: "phone"))
    #expect(try location.waiting().count == 2)
    try set(.online, device: "phone")
    for _ in 0..<3000 where received.values.count < 2 { try await Task.sleep(for: .milliseconds(20)) }
    // Each push was delivered while the device was online.
    #expect(received.values == [false, false])
    try set(.offline, device: "phone")
    try await alice.save(note("c"))
    try set(.unreachable, device: "phone")
    for _ in 0..<3000 where received.values.count < 3 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(received.values.count == 3)
    await listener.stop()
  }

  @Test("operations of low quality of service wait for the network without blocking other operations ([network-8])")
  func operationsOfLowQualityOfServiceWait() async throws {
    try set(.offline)
    func save(_ name: String, _ quality: QualityOfService) -> CKModifyRecordsOperation {
      let operation = CKModifyRecordsOperation(recordsToSave: [note(name, name)])
      // Both properties set the same value.
      if quality == .utility {
        operation.qualityOfService = quality
      } else {
        operation.configuration.qualityOfService = quality
      }
      return operation
    }
    let results = Collector<Result<Void, any Error>>()
    // More operations than there are threads.
    let names = (0..<80).map { "n\($0)" }
    for (index, name) in names.enumerated() {
      let operation = save(name, index.isMultiple(of: 2) ? .utility : .background)
      operation.modifyRecordsResultBlock = { results.append($0) }
      alice.add(operation)
    }
    let cancelled = Collector<CKError.Code?>()
    let late = save("late", .background)
    late.modifyRecordsResultBlock = { cancelled.append($0.code) }
    alice.add(late)
    let short = save("short", .utility)
    short.configuration.timeoutIntervalForResource = 0.01
    short.modifyRecordsResultBlock = { cancelled.append($0.code) }
    alice.add(short)
    for quality in [QualityOfService.default, .userInitiated, .userInteractive] {
      let failed = await withCheckedContinuation { continuation in
        let operation = save("prompt", quality)
        operation.modifyRecordsResultBlock = { continuation.resume(returning: $0.code) }
        alice.add(operation)
      }
      #expect(failed == .networkUnavailable)
    }
    #expect(await code { try await alice.save(note("function")) } == .networkUnavailable)
    late.cancel()
    for _ in 0..<3000 where cancelled.values.count < 2 { try await Task.sleep(for: .milliseconds(20)) }
    #expect(Set(cancelled.values) == [.operationCancelled, .networkFailure])
    #expect(results.values.isEmpty)
    try set(.unreachable)
    try set(.online)
    for _ in 0..<3000 where results.values.count < names.count { try await Task.sleep(for: .milliseconds(20)) }
    #expect(results.values.compactMap(\.code) == [])
    #expect(try await alice.records(for: names.map { note($0).recordID }).values.allSatisfy { $0.value != nil })
    #expect(await code { _ = try await alice.record(for: note("late").recordID) } == .unknownItem)
  }

  @Test("invalid numbers, a missing account and an unknown device are refused")
  func invalidNumbersAMissingAccount() async throws {
    #expect(await code { try set(.throttled(retryAfter: 0)) } == .invalidArguments)
    #expect(await code { try set(.busy(retryAfter: .nan)) } == .invalidArguments)
    #expect(await code { try set(.offline, times: 0) } == .invalidArguments)
    #expect(await code { try set(.online, times: 1) } == .invalidArguments)
    #expect(try document() == nil)
    #expect(
      await code { try LocalCloud.acting(as: nil, root: cloud.cloud.path) { try LocalCloud.setNetwork(.offline) } }
        == .notAuthenticated)
    // A new device is first signed in, as by a program's first request.
    try set(.offline, device: "tablet")
    #expect(try cloud.cloud.service.devices.device("tablet")?.account == "alice")
    #expect(throws: ServiceError.self) { try cloud.cloud.service.devices.setNetwork(nil, of: "nobody's") }
  }

  @Test("an invalid network file makes requests fail, is reported by check, and is replaced by going online")
  func invalidNetworkFileMakesRequestsFail() async throws {
    let path = cloud.cloud.path + "/devices/alice-device/network.json"
    for text in [
      "{", "[]", "{}", #"{"condition": "sunny"}"#, #"{"condition": "offline", "times": -1}"#,
      #"{"condition": "throttled", "retryAfter": 1e300}"#, #"{"condition": "offline", "retryAfter": 3}"#,
      #"{"condition": "throttled", "until": "soon"}"#,
    ] {
      try set(.offline)
      try text.write(toFile: path, atomically: true, encoding: .utf8)
      let error = try await error { try await alice.save(note("n")) }
      #expect(error.code == .internalError, "\(text)")
      #expect(error.localizedDescription.contains("network.json"), "\(text)")
      #expect(try cloud.cloud.service.checks.check().contains { $0.path.hasSuffix("network.json") }, "\(text)")
      try set(.online)
      #expect(await code { try await alice.save(note(UUID().uuidString)) } == nil)
    }
  }

  @Test("removing an account removes its device's network condition")
  func removedAccount() async throws {
    try cloud.cloud.service.devices.setNetwork(NetworkCondition(.offline), of: "bob-device")
    #expect(try document("bob-device") != nil)
    try cloud.cloud.service.accounts.removeAccount("bob")
    #expect(try document("bob-device") == nil)
  }
}
