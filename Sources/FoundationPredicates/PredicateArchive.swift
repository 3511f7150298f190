import Foundation
import PredicateFormat

/// Predicates in archives: as their format, since Linux's `NSPredicate` cannot be archived.
package enum PredicateArchive {
  /// Nil for a predicate without a format, such as one made from a block.
  package static func format(of predicate: NSPredicate) -> String? {
    guard let tree = predicate.tree else { return nil }
    return try? tree.format
  }

  /// Nil if the format cannot be read.
  package static func predicate(format: String) -> NSPredicate? {
    (try? PredicateTree(format: format)).flatMap(predicate(tree:))
  }

  /// Nil for a tree that has no format.
  package static func predicate(tree: PredicateTree) -> NSPredicate? {
    #if canImport(ObjectiveC)
      // Foundation raises for what it can't read; what has a tree is less than that.
      return (try? tree.format).map { NSPredicate(format: $0, argumentArray: nil) }
    #else
      return NSPredicate(tree: tree)
    #endif
  }
}
