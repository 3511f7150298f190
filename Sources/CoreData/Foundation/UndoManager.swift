import Foundation
import LocalCloudPlatform
import Synchronization

/// Apple's recorder of actions to undo. Foundation on Linux lacks it.
///
/// - Difference: it records nothing, so that nothing can be undone: ``canUndo`` and ``canRedo`` are false. The first
///   use is reported to stderr.
// Sendable: it has no state.
open class UndoManager: NSObject, @unchecked Sendable {
  /// Creates a manager without recorded actions.
  public override init() {}

  /// No.
  open var canUndo: Bool { false }
  /// No.
  open var canRedo: Bool { false }
  /// No.
  open var isUndoing: Bool { false }
  /// No.
  open var isRedoing: Bool { false }
  /// No.
  open var isUndoRegistrationEnabled: Bool { false }
  /// Nothing.
  open var undoActionName: String { "" }
  /// Nothing.
  open var redoActionName: String { "" }
  /// 0.
  open var groupingLevel: Int { 0 }

  /// Stops the process: there is no undo.
  open func undo() { Self.refuse() }
  /// Stops the process: there is no undo.
  open func redo() { Self.refuse() }
  /// Stops the process: there is no undo.
  open func registerUndo<Target: AnyObject>(withTarget target: Target, handler: @escaping (Target) -> Void) {
    Self.refuse()
  }
  /// Stops the process: there is no undo.
  open func setActionName(_ actionName: String) { Self.refuse() }
  /// Stops the process: there is no undo.
  open func beginUndoGrouping() { Self.refuse() }
  /// Does nothing.
  open func endUndoGrouping() {}
  /// Does nothing: it is never enabled.
  open func disableUndoRegistration() {}
  /// Stops the process: there is no undo.
  open func enableUndoRegistration() { Self.refuse() }
  /// Does nothing: there are none.
  open func removeAllActions() {}
  /// Does nothing: there are none.
  open func removeAllActions(withTarget target: Any) {}

  private static let hasWarned = Mutex(false)

  static func refuse() {
    let isFirst = hasWarned.withLock { hasWarned in
      defer { hasWarned = true }
      return !hasWarned
    }
    if isFirst {
      StandardStream.error.write(
        "CoreData: warning: Undo is not supported: nothing is recorded, and nothing can be undone.\n")
    }
  }
}
