import LocalCloudPlatform
import Synchronization

/// A cache of values read from files. A value is read again only if the file is in another state.
///
/// Threads: safe to use from any; concurrent callers may read the same file twice.
package final class VersionedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Known: Sendable {
    var version: FileVersion
    var value: Value
  }

  private let limit: Int
  private let known = Mutex<[Key: Known]>([:])

  /// `limit`: the maximum number of cached values; at that number all are dropped.
  package init(limit: Int = .max) { self.limit = limit }

  /// The value of a file in state `version`, cached or read. `read` returns nil if the file was removed since then. It
  /// may read a later state, because the next caller then finds that the version changed.
  package func value(_ key: Key, _ version: FileVersion, read: () throws -> Value?) rethrows -> Value? {
    if let known = known.withLock({ $0[key] }), known.version == version { return known.value }
    // Evaluated before the read: a change within the same clock tick would leave the version unchanged.
    let isStable = version.isStable
    guard let value = try read() else { return nil }
    known.withLock { known in
      if known.count >= limit { known = [:] }
      known[key] = isStable ? Known(version: version, value: value) : nil
    }
    return value
  }
}
