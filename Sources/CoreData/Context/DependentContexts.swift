import Synchronization

/// The contexts that read from a coordinator, or from a parent. Any thread may use it.
final class DependentContexts: Sendable {
  private struct WeakContext: @unchecked Sendable {
    // Sendable: contexts are Sendable.
    weak var context: NSManagedObjectContext?
  }

  private let contexts = Mutex<[WeakContext]>([])

  func add(_ context: NSManagedObjectContext) {
    remove(context)
    contexts.withLock { $0.append(WeakContext(context: context)) }
  }

  func remove(_ context: NSManagedObjectContext) {
    contexts.withLock { contexts in contexts.removeAll { $0.context == nil || $0.context === context } }
  }

  var all: [NSManagedObjectContext] { contexts.withLock { $0.compactMap(\.context) } }

  /// Notifies the contexts of changes that they may merge.
  func merge(_ changes: ObjectChangeIDs, except source: NSManagedObjectContext? = nil) {
    for context in all where context !== source { context.parentChanged(changes) }
  }
}

extension NSManagedObjectContext {
  /// Makes the child contexts use the new identity of an object.
  func notifyChildrenOfRename(_ old: NSManagedObjectID, _ new: NSManagedObjectID) {
    let contexts = children.all
    guard !contexts.isEmpty || parent != nil else { return registered.removeAliases() }
    registered.addAlias(old, of: new)
    for context in contexts {
      context.renames.withLock { $0.append((old, new)) }
      context.queue.async { [weak context] in context?.applyRenames() }
    }
  }

  /// Applies the new identities that the parent context has given to objects.
  func applyRenames() {
    guard parent != nil else { return }
    let received = renames.withLock { renames in
      defer { renames = [] }
      return renames
    }
    for (old, new) in received {
      // If two objects became one, both may be in this context.
      if let object = registered[old], object.identity == old, registered[new] == nil {
        rename(object, new)
      } else {
        notifyChildrenOfRename(old, new)
      }
    }
  }
}
