import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore
import Synchronization

extension ZoneStore {
  /// Runs the steps in order, like processes that wait for the same zone: each step starts when the previous one has
  /// appended its entry to the zone's journal, before any entry is durable. After a step that appends nothing, the next
  /// one starts at its end. After a failed step, no further step starts.
  package func runQueued(_ steps: [@Sendable () throws -> Void]) throws {
    let state = Mutex<(rest: ArraySlice<@Sendable () throws -> Void>, failure: (any Error)?)>((steps[...], nil))
    @Sendable func next() -> Bool {
      guard let step = state.withLock({ $0.failure == nil ? $0.rest.popFirst() : nil }) else { return false }
      do { try step() } catch { state.withLock { $0.failure = $0.failure ?? error } }
      return true
    }
    folder.whenLeft = { _ = next() }
    defer { folder.whenLeft = nil }
    while next() {}
    if let failure = state.withLock({ $0.failure }) { throw failure }
  }
}

extension Directory {
  /// The index of the zone, if this is a zone's folder and has one.
  package func zoneIndex() throws -> IndexFile? {
    guard let bytes = try contents("zone.json"), let folder = try directoryIfPresent(".index") else { return nil }
    let owner = try ZoneProperties.parse(bytes, path: path).indexOwner
    return try IndexFile.openIfPresent(in: folder, name: "index", of: owner)
  }
}
