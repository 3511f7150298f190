import Foundation
import LocalCloudFoundationPredicates
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  extension NSSortDescriptor {
    /// Sorts by the value with that key, and texts by a method of `NSString`: `compare(_:)`,
    /// `caseInsensitiveCompare(_:)`, `localizedCompare(_:)`, `localizedCaseInsensitiveCompare(_:)` or
    /// `localizedStandardCompare(_:)`.
    ///
    /// Stops the process for another method; Apple's framework raises an exception when a store sorts by it.
    ///
    /// - Difference: the localized methods have one order for all languages: letters count first, then their
    ///   diacritics, then their case. For `localizedStandardCompare(_:)` numbers of up to 20 digits have the order of
    ///   their values.
    public convenience init(key: String?, ascending: Bool, selector: Selector?) {
      let name = selector.map(NSStringFromSelector) ?? TextOrder.plain.rawValue
      guard let textOrder = TextOrder(rawValue: name) else {
        raiseException("unsupported NSSortDescriptor selector: \(name)")
      }
      self.init(key: key, ascending: ascending, textOrder: textOrder)
    }

    /// The method that compares texts.
    public var selector: Selector? { Selector(textOrder.rawValue) }
  }
#endif
