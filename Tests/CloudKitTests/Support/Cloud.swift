import CloudKit
import Foundation
import LocalCloud
import LocalCloudStorage
import Synchronization
import TestSupport

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A cloud for tests with several people.
struct TestCloud {
  let cloud: TemporaryCloud

  init() throws {
    cloud = try TemporaryCloud()
  }

  func container(_ name: String = "iCloud.test") -> CKContainer { CKContainer(identifier: name) }

  /// Runs `body` as that account, or signed out if it is nil.
  func acting<Value>(
    as account: String?, isolation: isolated (any Actor)? = #isolation, _ body: (CKContainer) async throws -> Value
  ) async throws -> Value {
    try await LocalCloud.acting(as: account, root: cloud.path) { try await body(container()) }
  }

  /// A container for use outside of a scope.
  func container(of account: String?) throws -> CKContainer {
    try LocalCloud.acting(as: account, root: cloud.path) { container() }
  }
}

let testZoneID = CKRecordZone.ID(zoneName: "Home")

func note(_ name: String, _ title: String? = nil, in zoneID: CKRecordZone.ID = testZoneID) -> CKRecord {
  let record = CKRecord(recordType: "Note", recordID: CKRecord.ID(recordName: name, zoneID: zoneID))
  if let title { record["title"] = title }
  return record
}

/// The error code of `body`; nil for success.
func code(isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Void) async -> CKError.Code? {
  do {
    try await body()
    return nil
  } catch {
    return (error as? CKError)?.code
  }
}

extension Result {
  var code: CKError.Code? {
    if case .failure(let error) = self { (error as? CKError)?.code } else { nil }
  }

  var value: Success? { try? get() }
}

/// Collects values from callbacks.
final class Collector<Value: Sendable>: Sendable {
  private let list = Mutex<[Value]>([])

  func append(_ value: Value) { list.withLock { $0.append(value) } }
  var values: [Value] { list.withLock { $0 } }
}

/// A zone's lock, held as by another process. Its own descriptor has the same effect.
struct ZoneLock {
  private let descriptor: Int32
  private let gate: Int32

  init(holding zoneID: CKRecordZone.ID, of account: String, in cloud: TestCloud) throws {
    let path = cloud.cloud.zonePath(zoneID.zoneName, of: account)
    descriptor = open("\(path)/lock", O_RDWR | O_CLOEXEC)
    gate = open("\(path)/.journal/gate", O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
    guard descriptor >= 0, gate >= 0, flock(descriptor, LOCK_EX) == 0 else { throw CocoaError(.fileNoSuchFile) }
  }

  private struct NobodyCame: Error {}

  /// Returns when another caller waits for the lock.
  /// - Throws: NobodyCame if no caller waits within a minute.
  func isAwaited() async throws {
    for _ in 0..<12_000 {
      guard flock(gate, LOCK_EX | LOCK_NB) == 0 else { return }
      flock(gate, LOCK_UN)
      try await Task.sleep(for: .milliseconds(5))
    }
    throw NobodyCame()
  }

  func release() {
    close(gate)
    close(descriptor)
  }
}
