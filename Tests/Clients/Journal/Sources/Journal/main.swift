import CloudKit
import CoreData
import Foundation
import LocalCloud
import Synchronization

final class Counter: Sendable {
  let value = Mutex(0)
}

/// Fetches all zones with an operation that waits for the network.
func zonesInTheBackground() async throws -> Int {
  let operation = CKFetchRecordZonesOperation.fetchAllRecordZonesOperation()
  operation.configuration.qualityOfService = .background
  let count = Counter()
  return try await withCheckedThrowingContinuation { continuation in
    operation.perRecordZoneResultBlock = { _, _ in count.value.withLock { $0 += 1 } }
    operation.fetchRecordZonesResultBlock = { continuation.resume(with: $0.map { count.value.withLock { $0 } }) }
    CKContainer.default().privateCloudDatabase.add(operation)
  }
}

@MainActor
func useTwoDevices() async throws {
  let account = ProcessInfo.processInfo.environment["LOCALCLOUD_ACCOUNT"] ?? ""
  let devices = FileManager.default.temporaryDirectory.appendingPathComponent("journal-\(UUID().uuidString)")
  defer { try? FileManager.default.removeItem(at: devices) }
  for device in ["phone", "tablet"] {
    try FileManager.default.createDirectory(
      at: devices.appendingPathComponent(device), withIntermediateDirectories: true)
  }

  let phone = try Journal(in: devices.appendingPathComponent("phone"))
  try phone.write("\(account) at home")
  try await phone.wait(until: "the first entry is sent") { phone.runs.contains("export") }

  try LocalCloud.setNetwork(.offline)
  try phone.write("\(account) on the train")
  do {
    _ = try await CKContainer.default().privateCloudDatabase.allRecordZones()
    throw Wrong(description: "a device that is offline gets an answer")
  } catch let error as CKError where error.code == .networkUnavailable {}
  try await phone.wait(until: "an export fails") { phone.runs.contains("export: 3") }
  async let zones = zonesInTheBackground()
  try await Task.sleep(nanoseconds: 50_000_000)
  try LocalCloud.setNetwork(.online)
  let count = try await zones
  try require(count == 2, "\(count) zones")

  let entry = try phone.entries()[0]
  let zone = try await phone.share(entry)
  let shares = try phone.container.fetchShares(matching: [entry.objectID])
  try require(shares[entry.objectID]?.recordID.zoneID.zoneName == zone, "\(shares)")

  let tablet = try await LocalCloud.acting(as: account, device: "\(account)-tablet") {
    let tablet = try Journal(in: devices.appendingPathComponent("tablet"))
    try await tablet.wait(until: "both entries are there") {
      try tablet.texts == ["\(account) at home", "\(account) on the train"]
    }
    return tablet
  }
  try await tablet.wait(until: "the share is known there") {
    try tablet.container.fetchShares(in: nil).contains { $0.recordID.zoneID.zoneName == zone && $0.url != nil }
  }
}

do {
  try await useTwoDevices()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
