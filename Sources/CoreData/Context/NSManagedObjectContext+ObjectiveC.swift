import LocalCloudFoundationPredicates

/// What programs in Objective-C, and its runtime, call.
extension NSManagedObjectContext {
  /// A context of the kind that was confined to a thread.
  ///
  /// - Difference: a subclass can't be made so: nothing says that it has the initializer.
  @available(*, deprecated, message: "Use -initWithConcurrencyType: instead")
  @discardableResult
  public class func new() -> Self {
    guard self == NSManagedObjectContext.self else {
      raiseException("\(self) can't be made by new(); use an initializer.")
    }
    return unsafeDowncast(NSManagedObjectContext(concurrencyType: .confinementConcurrencyType), to: self)
  }

  /// What key-value observing tells a context of its objects.
  ///
  /// - Difference: on Linux there is none, and this does nothing: objects tell their context themselves.
  public func observeValue(
    forKeyPath keyPath: String?, of object: Any?, change: [String: Any]?, context: UnsafeMutableRawPointer?
  ) {}
}
