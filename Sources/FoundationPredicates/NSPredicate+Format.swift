import Foundation
import LocalCloudPlatform
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  // Foundation declares these initializers on Linux as unavailable. It is a protocol's extension because only there an
  // initializer may return an object of another class.
  extension NSCopying where Self: NSPredicate {
    /// Makes a predicate from a text in the predicate format language: an `NSComparisonPredicate`, or an
    /// `NSCompoundPredicate` of several predicates.
    ///
    ///     NSPredicate(format: "%K BEGINSWITH %@ AND size > %d", "name", prefix, 10)
    ///
    /// Stops the process for an invalid format, where Apple's framework raises an exception. The message has Apple's
    /// text, the position, and what was expected there.
    ///
    /// - Difference: on Linux the arguments are of any type; there is no `init(format:arguments:)` with a
    ///   `CVaListPointer`. Too few arguments stop the process; on Apple's systems that is undefined.
    /// - Difference: on Linux the compiler warns where `predicateFormat` is read, as Foundation marks it as deprecated
    ///   there. A compound that is made of predicates is Foundation's: it has no format as its description, and is
    ///   equal to any other one; compare it with one from a format on the left.
    /// - Difference: on Linux a subclass of NSPredicate or NSComparisonPredicate that has stored properties can't call
    ///   this initializer, and a subclass of NSCompoundPredicate can't either: it stops the process.
    /// - Difference: on Linux the evaluation of a predicate finds values in dictionaries, in CloudKit's records, and
    ///   in the stored properties of other objects, as there is no key-value coding. `FUNCTION(…)` calls no methods,
    ///   `MATCHES` refuses back references, look-around and possessive quantifiers, and an evaluation ends after 20
    ///   million steps: each of these stops the process with the reason, as other mistakes do that are exceptions for
    ///   Apple.
    /// - Assumption: a predicate may be 100 levels deep; a deeper one can't be read. A chain of one operator is one
    ///   level.
    public init(format predicateFormat: String, _ args: Any?...) {
      self = PredicateReading.predicate(predicateFormat, args)
    }

    /// Makes a predicate from a text in the predicate format language, with the arguments in an array; `NSNull` stands
    /// for nil.
    ///
    /// Stops the process for an invalid format, where Apple's framework raises an exception.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
      self = PredicateReading.predicate(predicateFormat, arguments ?? [])
    }
  }

  extension NSPredicate {
    /// Returns the predicate with values in place of the variables `$name`; `NSNull` stands for nil. Variables without
    /// a value are kept.
    ///
    /// - Difference: on Linux a predicate made from a block stays as it is.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
      if let compound = self as? NSCompoundPredicate {
        let parts = compound.subpredicates.map { $0.withSubstitutionVariables(variables) }
        return FormatCompound(type: compound.compoundPredicateType, subpredicates: parts) as? Self ?? self
      }
      guard let tree = tree?.substituting(variables.predicateValues) else { return self }
      return ObjectClass.instance(of: Self.self, tree)
    }
  }

  private enum PredicateReading {
    static func predicate<Predicate: NSPredicate>(_ format: String, _ arguments: [Any?]) -> Predicate {
      do throws(PredicateFormatError) {
        let tree = try PredicateTree(format: format, arguments: arguments.map { PredicateValue(object: $0) })
        return ObjectClass.instance(of: Predicate.self, tree)
      } catch {
        raiseException("\(error.reason) (\(error))")
      }
    }
  }

  // On Apple's platforms values become objects in `uuid as CVarArg`, and all objects are arguments of formats.

  // swift-format-ignore: AvoidRetroactiveConformances
  extension NSObject: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Date: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension UUID: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension URL: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Data: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Decimal: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Array: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Set: @retroactive CVarArg, @retroactive _CVarArgObject {}
  // swift-format-ignore: AvoidRetroactiveConformances
  extension Dictionary: @retroactive CVarArg, @retroactive _CVarArgObject {}

  extension _CVarArgObject {
    /// The object that `%@` describes in `String(format:)`. The format of a predicate takes the value itself.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }

    /// For callers that do not ask for the object. It is never released: the callee may keep the argument for any time.
    public var _cVarArgEncoding: [Int] {
      [Int(bitPattern: Unmanaged.passRetained(NSString(string: "\(self)")).toOpaque())]
    }
  }
#endif

/// Stops the process, in cases where Apple's frameworks raise an Objective-C exception for a mistake in the calling
/// code.
///
/// Only values that the app passes may lead here, never data read from an archive, a store or the cloud.
package func raiseException(_ reason: String, name: String = "NSInvalidArgumentException") -> Never {
  // The text is the line that Apple's platforms print.
  FatalStop.stop("*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'")
}
