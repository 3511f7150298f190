import Synchronization

/// Makes the names of properties known by their key paths, which do not tell them. Generated code calls this when the
/// program is loaded; the key paths are not made before a name is looked up.
///
/// The closure is of the main actor, so that it may name properties of classes that are. It only makes key paths, which
/// any thread may do.
public func _registerKeyPaths(_ paths: @escaping @Sendable @MainActor () -> [(AnyKeyPath, String)]) {
  PropertyNames.add(unsafeBitCast(paths, to: (@Sendable () -> [(AnyKeyPath, String)]).self))
}

/// The names of the properties that key paths lead to.
enum PropertyNames {
  // Sendable: a key path is a constant; the compiler does not know it of the base class.
  private struct Path: Hashable, @unchecked Sendable {
    var path: AnyKeyPath
  }

  private struct State {
    var pending: [@Sendable () -> [(AnyKeyPath, String)]] = []
    var names: [Path: String] = [:]
  }

  // Made at the first use, which may be before `main`: it has to do with nothing but the standard library.
  private static let state = Mutex(State())

  static func add(_ paths: @escaping @Sendable () -> [(AnyKeyPath, String)]) {
    state.withLock { $0.pending.append(paths) }
  }

  /// Held while pending key paths are made, so that nobody looks for a name in between. Registering does not need it: what
  /// generated code calls may register more.
  private static let learning = Mutex(())

  /// The name of the property that a key path leads to; nil if nobody knows it.
  static func name(of path: AnyKeyPath) -> String? {
    learning.withLock { _ in
      let pending = state.withLock { state in
        defer { state.pending = [] }
        return state.pending
      }
      for paths in pending {
        let names = paths().map { (Path(path: $0), $1) }
        state.withLock { $0.names.merge(names) { first, _ in first } }
      }
    }
    let key = Path(path: path)
    return state.withLock { $0.names[key] }
  }
}
