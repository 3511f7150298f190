import Foundation
import LocalCloudFoundationPredicates

#if !canImport(ObjectiveC)
  extension NSCopying where Self: _NSExpression {
    /// Creates an expression of the value of a property of an entity.
    ///
    /// Stops the process for a key path of any other kind; Apple's framework raises an exception.
    public init<Root, Value>(forKeyPath keyPath: KeyPath<Root, Value>) {
      guard let name = PropertyNames.name(of: keyPath) else {
        raiseException("Could not extract a String from KeyPath \(keyPath)")
      }
      self.init(forKeyPath: name)
    }
  }
#endif
