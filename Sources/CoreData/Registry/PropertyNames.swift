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

  private static let pending = PendingRegistrations<@Sendable () -> [(AnyKeyPath, String)]>()
  private static let names = Mutex<[Path: String]>([:])

  static func add(_ paths: @escaping @Sendable () -> [(AnyKeyPath, String)]) { pending.add(paths) }

  /// The name of the property that a key path leads to, with those of the relationships on the way; nil for a key path of
  /// anything else.
  static func name(of path: AnyKeyPath) -> String? { registered(path) ?? PropertyTrace.name(of: path) }

  /// Nil for a path over a relationship, and for one from a class to a property that its superclass declares: these are
  /// other key paths than the one that was registered.
  private static func registered(_ path: AnyKeyPath) -> String? {
    pending.learn { registrations in
      for paths in registrations {
        let found = paths().map { (Path(path: $0), $1) }
        names.withLock { $0.merge(found) { first, _ in first } }
      }
    }
    let key = Path(path: path)
    return names.withLock { $0[key] }
  }
}
