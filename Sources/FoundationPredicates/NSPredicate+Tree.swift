import Foundation
import LocalCloudPredicateFormat

/// An object that obtains the tree of a predicate: a predicate made by this module stores its tree in the probe when it
/// is evaluated with one.
///
/// On Linux a predicate cannot store a tree, and a copy of a predicate is another object; but a copy keeps its block.
private final class PredicateProbe {
  /// The tree with null objects, for descriptions and for parts of other predicates.
  var written: PredicateTree?
  /// The tree that is evaluated and compared.
  var evaluated: PredicateTree?
}

extension NSPredicate {
  #if canImport(ObjectiveC)
    /// The predicate as a tree; nil for a predicate made from a block, or with constants that have no format.
    package var tree: PredicateTree? { try? PredicateTree(format: predicateFormat) }
  #else
    /// Creates a predicate that evaluates the tree.
    package convenience init(tree: PredicateTree) {
      if case .constant(let truth) = tree {
        self.init(value: truth)
        return
      }
      let evaluated = tree.withoutNullObjects
      self.init { object, bindings in
        if let probe = object as? PredicateProbe {
          (probe.written, probe.evaluated) = (tree, evaluated)
          return false
        }
        return NSPredicate.evaluate(evaluated, object, bindings ?? [:])
      }
    }

    /// The predicate as a tree; nil for a predicate that is too deep or made from a block. Reading it calls that block
    /// once, with an object of a private class.
    package var tree: PredicateTree? { tree(\.evaluated, within: PredicateTree.maximumDepth) }

    /// The same with null objects, for descriptions and for parts of other predicates.
    var writtenTree: PredicateTree? { tree(\.written, within: PredicateTree.maximumDepth) }

    private func tree(_ form: KeyPath<PredicateProbe, PredicateTree?>, within depth: Int) -> PredicateTree? {
      guard depth > 0 else { return nil }
      if let compound = self as? NSCompoundPredicate {
        let parts = compound.subpredicates.compactMap { $0.tree(form, within: depth - 1) }
        guard parts.count == compound.subpredicates.count else { return nil }
        switch compound.compoundPredicateType {
        case .and: return .all(of: parts)
        case .or: return .any(of: parts)
        case .not: return parts.count == 1 ? .not(parts[0]) : nil
        @unknown default: return nil
        }
      }
      // The comparison's own equality would read its tree again.
      if !(self is _NSComparisonPredicate) {
        if isEqual(NSPredicate(value: true)) { return .constant(true) }
        if isEqual(NSPredicate(value: false)) { return .constant(false) }
      }
      let probe = PredicateProbe()
      _ = evaluate(with: probe)
      return probe[keyPath: form]
    }

    private static func evaluate(_ tree: PredicateTree, _ object: Any?, _ bindings: [String: Any]) -> Bool {
      var evaluator = PredicateEvaluator.fetching(tree, variables: bindings.predicateValues)
      do throws(PredicateEvaluationError) {
        return try evaluator.matches(PredicateValue(object: object))
      } catch {
        raiseException(error.message)
      }
    }
  #endif
}
