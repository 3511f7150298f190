import FaultInjection
import LocalCloudPlatform
import LocalCloudService
import TestSupport

/// Compares apps that use `CKSyncEngine` with the cloud: two users with two devices each, as processes, edit items in
/// zones of their own and in a shared zone. One device of each user synchronizes automatically, the other one only on
/// request. They send, fetch, are offline or throttled, lose replies, are signed in to the other account or signed out,
/// release their engines, and are killed at random; then they continue with the file that they last saved. Zones are
/// deleted and purged, and the share ends.
///
/// From time to time the run brings all devices to rest. Before, the automatic ones that are online must send all
/// changes and fetch a marker, without a request to their engines. Then each device must have the items of its account
/// that plain CloudKit returns, and nothing to send. Each edit that a device confirmed must be in its item, unless the
/// item was deleted or its zone has ended, and each item must be one record, in the zone in which it was created.
///
/// After some points of rest the cloud is restored to a snapshot with the same items: only change tokens expire.
///
/// A seed gives the same choices each time, as long as the processes run at the same speed.
struct EngineRun {
  /// The number of steps between two points of rest.
  static let epoch = 40

  let steps: Int
  let seed: UInt64
  let executable: String
  let keepsFiles: Bool
  /// Whether the engines of a device rest while another account signs in on it.
  let isCalm: Bool
  /// Whether zones, shares and the cloud remain as they are.
  let keepsZones: Bool
  let progress: @Sendable (ScenarioReport) -> Void

  func run() async throws -> ScenarioReport {
    let temporary = try TemporaryCloud(accounts: EngineDirector.accounts)
    let folder = MemoryFolder.newPath("engines")
    try Directory.make(path: folder, in: FileSystem())
    defer { if !keepsFiles { try? ScratchFolder.remove(folder) } }
    let cloud = try await EngineCloud(temporary.path, accounts: EngineDirector.accounts)
    try await cloud.shareFamilyZone()
    let service = EngineService(temporary)
    var director = try EngineDirector(
      folder, service, cloud, executable: executable, seed: seed, isCalm: isCalm, keepsZones: keepsZones)
    defer { director.end() }
    do {
      while director.report.steps < steps, director.report.problems.isEmpty {
        for _ in 0..<min(Self.epoch, steps - director.report.steps) { try await director.step() }
        try await director.compareAtRest()
        progress(director.report)
      }
    } catch {
      director.report.problems.append("\(error)")
    }
    if director.report.problems.isEmpty {
      director.report.problems += try service.current.checks.check().map { "check: \($0.path): \($0.text)" }
    }
    return director.report
  }
}
