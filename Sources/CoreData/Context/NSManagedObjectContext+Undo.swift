import Foundation

extension NSManagedObjectContext {
  /// Always nil. Setting one is refused, which stderr tells once.
  ///
  /// - Difference: there is no undo.
  public var undoManager: UndoManager? {
    get { nil }
    set { if newValue != nil { UndoManager.refuse() } }
  }

  /// Refused, which stderr tells once; see ``undoManager``.
  public func undo() { UndoManager.refuse() }

  /// Refused, which stderr tells once; see ``undoManager``.
  public func redo() { UndoManager.refuse() }

  // MARK: Programs of old

  /// Waits for the other threads that locked the context.
  ///
  /// - Difference: it guards nothing but what other callers of it do; ``performAndWait(_:)`` is the way.
  @available(*, deprecated, message: "Use a queue style context and -performBlockAndWait: instead")
  public func lock() { oldLock.lock() }

  /// Gives the lock back.
  @available(*, deprecated, message: "Use a queue style context and -performBlockAndWait: instead")
  public func unlock() { oldLock.unlock() }

  /// Takes the lock if nobody has it.
  @available(*, deprecated, message: "Use a queue style context instead")
  @discardableResult
  public func tryLock() -> Bool { oldLock.try() }
}
