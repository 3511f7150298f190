import Synchronization

/// Registers the names of properties by key path, because a key path does not contain its property's name. Generated
/// code calls this when the program is loaded; the closure creates the key paths when a name is looked up.
///
/// The closure is isolated to the main actor, so that it may name properties of classes that are. It only creates key
/// paths, and any thread may do that.
public func _registerKeyPaths(_ paths: @escaping @Sendable @MainActor () -> [(AnyKeyPath, String)]) {
  PropertyNames.add(unsafeBitCast(paths, to: (@Sendable () -> [(AnyKeyPath, String)]).self))
}

/// The names of properties by key path.
enum PropertyNames {
  // Sendable: a key path is immutable, but its base class is not declared Sendable.
  private struct Path: Hashable, @unchecked Sendable {
    var path: AnyKeyPath
  }

  private static let pending = PendingRegistrations<@Sendable () -> [(AnyKeyPath, String)]>()
  private static let names = Mutex<[Path: String]>([:])

  static func add(_ paths: @escaping @Sendable () -> [(AnyKeyPath, String)]) { pending.add(paths) }

  /// The name of a key path's property, preceded by those of the relationships on the path; nil for a key path of any
  /// other kind.
  static func name(of path: AnyKeyPath) -> String? { registered(path) ?? PropertyTrace.name(of: path) }

  /// Nil for a path over a relationship, and for a path from a class to a property of its superclass: these differ from
  /// the registered key path.
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
