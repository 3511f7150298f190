import Foundation
import Platform
import Synchronization

/// Apple's recorder of what can be undone, which Foundation on Linux does not have.
///
/// - Difference: it records nothing, so that nothing can be undone: ``canUndo`` and ``canRedo`` are false. The first use
///   is told on stderr.
// Sendable: it has no state.
open class UndoManager: NSObject, @unchecked Sendable {
  public override init() {}

  open var canUndo: Bool { false }
  open var canRedo: Bool { false }
  open var isUndoing: Bool { false }
  open var isRedoing: Bool { false }
  open var isUndoRegistrationEnabled: Bool { false }
  open var undoActionName: String { "" }
  open var redoActionName: String { "" }
  open var groupingLevel: Int { 0 }

  open func undo() { Self.refuse() }
  open func redo() { Self.refuse() }
  open func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) -> Void) {
    Self.refuse()
  }
  open func setActionName(_ actionName: String) { Self.refuse() }
  open func beginUndoGrouping() { Self.refuse() }
  open func endUndoGrouping() {}
  open func disableUndoRegistration() {}
  open func enableUndoRegistration() { Self.refuse() }
  open func removeAllActions() {}
  open func removeAllActions(withTarget target: Any) {}

  private static let isTold = Mutex(false)

  static func refuse() {
    let isFirst = isTold.withLock { isTold in
      defer { isTold = true }
      return !isTold
    }
    if isFirst {
      StandardStream.error.write(
        "CoreData: warning: Undo is not supported: nothing is recorded, and nothing can be undone.\n")
    }
  }
}
