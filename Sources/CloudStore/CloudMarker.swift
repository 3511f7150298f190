import LocalCloudPlatform
import LocalCloudStorage
import Synchronization

/// The marker of an open cloud: the contents of `cloud.json` as this process read them.
///
/// A restore of a snapshot replaces the file. All that was opened below the cloud's root before then belongs to the
/// replaced cloud; ``requireCurrent()`` finds that out with one call of the system.
///
/// Threads: safe to use from any.
final class CloudMarker: Sendable {
  private struct State {
    var object: JSONObject
    var version: FileVersion?
  }

  private let root: Directory
  private let state: Mutex<State>

  init(in root: Directory) throws {
    self.root = root
    state = Mutex(try Self.read(in: root))
  }

  var object: JSONObject { state.withLock { $0.object } }

  /// Whether the file is still the one that was read.
  var isCurrent: Bool {
    guard let version = try? root.version(of: Cloud.markerName) else { return false }
    return state.withLock { $0.version } == version
  }

  /// Throws ``StoreError/replaced(path:)`` unless the file is still the one that was read. A missing file is no reason:
  /// a process that uses a removed cloud gets the error of the first part that is missing.
  func requireCurrent() throws {
    if let version = try root.version(of: Cloud.markerName), version != state.withLock({ $0.version }) {
      throw StoreError.replaced(path: root.path)
    }
  }

  /// Reads the file again, in the process that replaced it or while the cloud is opened. Call with the exclusive lock
  /// of the root.
  func reload() throws {
    let now = try Self.read(in: root)
    state.withLock { $0 = now }
  }

  /// Reads the contents of one version of the file.
  private static func read(in root: Directory) throws -> State {
    while true {
      let version = try root.version(of: Cloud.markerName)
      let object = try Cloud.readMarker(in: root)
      if try root.version(of: Cloud.markerName) == version { return State(object: object, version: version) }
    }
  }
}
