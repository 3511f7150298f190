import Foundation
import LocalCloudPlatform
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  // Foundation declares these initializers on Linux as unavailable. This is a protocol's extension, because only there
  // an initializer may return an object of another class.
  extension NSCopying where Self: NSPredicate {
    /// Creates a predicate from a text in the predicate format language: an `NSComparisonPredicate`, or an
    /// `NSCompoundPredicate` of several predicates.
    ///
    ///     NSPredicate(format: "%K BEGINSWITH %@ AND size > %d", "name", prefix, 10)
    ///
    /// Stops the process for an invalid format; Apple's framework raises an exception. The message has Apple's text,
    /// the position, and the token that was expected there.
    ///
    /// - Difference: on Linux the arguments are of any type; there is no `init(format:arguments:)` with a
    ///   `CVaListPointer`. Too few arguments stop the process; on Apple's systems that is undefined.
    /// - Difference: on Linux the compiler warns about the use of `predicateFormat`, because Foundation marks it as
    ///   deprecated there. A compound that is made of predicates is Foundation's: it has no format as its description,
    ///   and is equal to any other one; compare it with one from a format on the left.
    /// - Difference: on Linux a subclass of NSPredicate or NSComparisonPredicate that has stored properties can't call
    ///   this initializer, and a subclass of NSCompoundPredicate can't either: it stops the process.
    /// - Difference: on Linux the evaluation of a predicate finds values in dictionaries, in CloudKit's records, and in
    ///   the stored properties of other objects, because there is no key-value coding. `FUNCTION(…)` calls no methods,
    ///   an evaluation ends after 20 million steps, and the search of `MATCHES` after 5 million: each of these stops the
    ///   process with the reason, like other mistakes that raise an exception in Apple's framework.
    /// - Assumption: a predicate may be 100 levels deep; a deeper one can't be read. A chain of one operator is one
    ///   level.
    public init(format predicateFormat: String, _ args: Any?...) {
      self = PredicateReading.predicate(predicateFormat, args)
    }

    /// Creates a predicate from a text in the predicate format language, with the arguments in an array; `NSNull`
    /// stands for nil.
    ///
    /// Stops the process for an invalid format; Apple's framework raises an exception.
    public init(format predicateFormat: String, argumentArray arguments: [Any]?) {
      self = PredicateReading.predicate(predicateFormat, arguments ?? [])
    }
  }

  extension NSPredicate {
    /// Returns the predicate with values substituted for the variables `$name`; `NSNull` stands for nil. Variables
    /// without a value remain.
    ///
    /// - Difference: on Linux a predicate made from a block is returned unchanged.
    public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
      if let compound = self as? NSCompoundPredicate {
        let parts = compound.subpredicates.map { $0.withSubstitutionVariables(variables) }
        return FormatCompound(type: compound.compoundPredicateType, subpredicates: parts) as? Self ?? self
      }
      let values = variables.mapValues { PredicateValue(constant: $0) }
      guard let tree = writtenTree?.substituting(values) else { return self }
      return ObjectClass.instance(of: Self.self, tree)
    }
  }

  private enum PredicateReading {
    static func predicate<Predicate: NSPredicate>(_ format: String, _ arguments: [Any?]) -> Predicate {
      do throws(PredicateFormatError) {
        let tree = try PredicateTree(format: format, arguments: arguments.map { PredicateValue(constant: $0) })
        return ObjectClass.instance(of: Predicate.self, tree)
      } catch {
        raiseException("\(error.reason) (\(error))")
      }
    }
  }

  // On Apple's platforms values are bridged to objects in `uuid as CVarArg`, and formats accept all objects as
  // arguments.

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
    /// The object that `%@` describes in `String(format:)`. The format of a predicate uses the value itself.
    public var _cVarArgObject: any CVarArg { NSString(string: "\(self)") }

    /// For callers that do not use the object. It is never released, because the callee may retain the argument for any
    /// time.
    public var _cVarArgEncoding: [Int] {
      [Int(bitPattern: Unmanaged.passRetained(NSString(string: "\(self)")).toOpaque())]
    }
  }
#endif

/// Stops the process, in cases where Apple's frameworks raise an Objective-C exception for a mistake in the calling
/// code.
///
/// Call it only for values that the app passes, never for data read from an archive, a store or the cloud.
package func raiseException(_ reason: String, name: String = "NSInvalidArgumentException") -> Never {
  // The text is the line that Apple's platforms print.
  FatalStop.stop("*** Terminating app due to uncaught exception '\(name)', reason: '\(reason)'")
}
