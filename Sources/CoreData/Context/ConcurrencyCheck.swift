import Foundation

/// Detects uses of a context or its objects off the context's queue.
///
/// These mistakes often stay unnoticed. With the launch argument `-com.apple.CoreData.ConcurrencyDebug 1`, as on
/// Apple's systems, or with that user default set before the first use of a context, they stop the process.
enum ConcurrencyCheck {
  private static let key = "com.apple.CoreData.ConcurrencyDebug"

  /// Read only once, because each access of a value checks it.
  static let isOn: Bool = {
    let arguments = ProcessInfo.processInfo.arguments
    if let index = arguments.firstIndex(of: "-" + key), index + 1 < arguments.count {
      return (Int(arguments[index + 1]) ?? 0) > 0
    }
    return UserDefaults.standard.integer(forKey: key) > 0
  }()

  @inline(__always)
  static func check(_ context: NSManagedObjectContext?) {
    if isOn, let context { verify(context) }
  }

  private static func verify(_ context: NSManagedObjectContext) {
    // A context that is confined to a thread has no queue to check.
    guard context.concurrencyType != .confinementConcurrencyType, !context.queue.isCurrent else { return }
    raiseException(
      "Multithreading_Violation_AllThatIsLeftToUsIsHonor: the context \(context.name ?? "\(context)") or one of its "
        + "objects is used off its queue.", name: "NSInternalInconsistencyException")
  }
}
