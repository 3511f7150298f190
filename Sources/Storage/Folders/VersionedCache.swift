import Platform
import Synchronization

/// What was read of files, each read again only when its file is in another state.
///
/// Threads: safe from any; two that read at once keep the same.
package final class VersionedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private struct Known: Sendable {
    var version: FileVersion
    var value: Value
  }

  private let limit: Int
  private let known = Mutex<[Key: Known]>([:])

  /// `limit`: so many are kept, then all are forgotten.
  package init(limit: Int = .max) { self.limit = limit }

  /// The value of a file that is in this state; `read` answers nil where it is gone by then. It may read a later state, as
  /// the next one who asks finds that it is another.
  package func value(_ key: Key, _ version: FileVersion, read: () throws -> Value?) rethrows -> Value? {
    if let known = known.withLock({ $0[key] }), known.version == version { return known.value }
    // Before it is read: what comes within the same tick of the clock would look the same.
    let isSettled = version.isSettled
    guard let value = try read() else { return nil }
    known.withLock { known in
      if known.count >= limit { known = [:] }
      known[key] = isSettled ? Known(version: version, value: value) : nil
    }
    return value
  }
}
