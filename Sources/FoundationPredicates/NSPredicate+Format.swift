import Foundation
import PredicateFormat

#if !canImport(ObjectiveC)
  // Foundation declares these on Linux, as unavailable; what is declared here wins over them.
  extension NSPredicate {
    /// Makes a predicate from a text in the predicate format language.
    ///
    ///     NSPredicate(format: "%K BEGINSWITH %@ AND size > %d", "name", prefix, 10)
    ///
    /// A text that cannot be read stops the process, as Apple's framework raises an exception: the reason has Apple's
    /// words, and the place and what was expected there.
    ///
    /// - Difference: on Linux the arguments are of any type; there is no `init(format:arguments:)` with a `CVaListPointer`.
    ///   Too few arguments stop the process; on Apple's systems that is undefined.
    /// - Difference: on Linux `predicateFormat` stays what Foundation has there, which does not tell the format.
    /// - Difference: on Linux the evaluation of a predicate finds values in dictionaries, in CloudKit's records, and in the
    ///   stored properties of other objects, as there is no key-value coding. `FUNCTION(…)` calls no methods, `MATCHES`
    ///   refuses back references, look-around and possessive quantifiers, and an evaluation ends after 20 million steps:
    ///   each of these stops the process with the reason, as other mistakes do that are exceptions for Apple.
    /// - Assumption: a predicate may be 100 levels deep; a deeper one can't be read. A chain of one operator is one level.
    public convenience init(format predicateFormat: String, _ args: Any?...) {
      self.init(tree: PredicateReading.tree(predicateFormat, args))
    }

    /// Makes a predicate from a text in the predicate format language, with the arguments in an array; `NSNull` in it is
    /// nil.
    ///
    /// A text that cannot be read stops the process, as Apple's framework raises an exception.
    public convenience init(format predicateFormat: String, argumentArray arguments: [Any]?) {
      self.init(tree: PredicateReading.tree(predicateFormat, arguments ?? []))
    }

    /// The same predicate with values in the place of the variables `$name`; `NSNull` is nil. Variables without a value
    /// stay.
    ///
    /// - Difference: on Linux a predicate made from a block stays as it is.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
      guard let tree, let predicate = NSPredicate(tree: tree.substituting(variables.predicateValues)) as? Self else {
        return self
      }
      return predicate
    }
  }

  private enum PredicateReading {
    static func tree(_ format: String, _ arguments: [Any?]) -> PredicateTree {
      do throws(PredicateFormatError) {
        return try PredicateTree(format: format, arguments: arguments.map { PredicateValue(object: $0) })
      } catch {
        raiseInvalidArgument("\(error.reason) (\(error))")
      }
    }
  }

  // Apple's Foundation has it, and `date as CVarArg` is how programs write it.
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Date: @retroactive CVarArg {
    /// A date as an argument of a format, `date as CVarArg`.
    public var _cVarArgEncoding: [Int] {
      // Whoever takes the argument has it for as long as it likes.
      [Int(bitPattern: Unmanaged.passRetained(self as NSDate).toOpaque())]
    }
  }
#endif

/// Stops the process where Apple's Foundation raises `NSInvalidArgumentException` for a mistake in the calling code.
///
/// Only what the app itself passes may lead here, never what was read from an archive or a store.
func raiseInvalidArgument(_ reason: String) -> Never {
  // Not a precondition: its text is left out of optimized programs. This is the line that Apple's platforms print.
  fatalError("*** Terminating app due to uncaught exception 'NSInvalidArgumentException', reason: '\(reason)'")
}
