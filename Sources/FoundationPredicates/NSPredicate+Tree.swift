import Foundation
import PredicateFormat

/// Asks a predicate for its tree: a predicate of ours that is evaluated with a probe leaves its tree there.
///
/// On Linux a predicate has no place to keep a tree, and a copy is another object, but its block survives.
private final class PredicateProbe {
  var tree: PredicateTree?
}

extension NSPredicate {
  #if canImport(ObjectiveC)
    /// The predicate as a value; nil for one made from a block, and for one with constants that have no words.
    package var tree: PredicateTree? { try? PredicateTree(format: predicateFormat) }
  #else
    /// A predicate that evaluates the tree.
    package convenience init(tree: PredicateTree) {
      if case .constant(let truth) = tree {
        self.init(value: truth)
        return
      }
      self.init { object, bindings in
        if let probe = object as? PredicateProbe {
          probe.tree = tree
          return false
        }
        return NSPredicate.evaluate(tree, object, bindings ?? [:])
      }
    }

    /// The predicate as a value; nil for one made from a block, which is called once with an object that it can't know,
    /// and for one that is too deep.
    package var tree: PredicateTree? { tree(within: PredicateTree.maximumDepth) }

    private func tree(within depth: Int) -> PredicateTree? {
      guard depth > 0 else { return nil }
      if let compound = self as? NSCompoundPredicate {
        let parts = compound.subpredicates.compactMap { $0.tree(within: depth - 1) }
        guard parts.count == compound.subpredicates.count else { return nil }
        switch compound.compoundPredicateType {
        case .and: return .all(of: parts)
        case .or: return .any(of: parts)
        case .not: return parts.count == 1 ? .not(parts[0]) : nil
        @unknown default: return nil
        }
      }
      if isEqual(NSPredicate(value: true)) { return .constant(true) }
      if isEqual(NSPredicate(value: false)) { return .constant(false) }
      let probe = PredicateProbe()
      _ = evaluate(with: probe)
      return probe.tree
    }

    private static func evaluate(_ tree: PredicateTree, _ object: Any?, _ bindings: [String: Any]) -> Bool {
      var evaluator = PredicateEvaluator(tree, variables: bindings.predicateValues)
      do throws(PredicateEvaluationError) {
        return try evaluator.matches(PredicateValue(object: object))
      } catch {
        raiseInvalidArgument(error.message)
      }
    }
  #endif
}
