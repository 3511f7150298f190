import Foundation
import LocalCloudPredicateFormat

/// Archives predicates as their format, because `NSPredicate` cannot be archived on Linux.
package enum PredicateArchive {
  /// The format of a predicate; nil if it has none, for example if it was made from a block.
  package static func format(of predicate: NSPredicate) -> String? {
    guard let tree = predicate.tree else { return nil }
    return try? tree.format
  }

  /// The predicate for a format; nil if the format is invalid.
  package static func predicate(format: String) -> NSPredicate? {
    (try? PredicateTree(format: format)).flatMap(predicate(tree:))
  }

  /// The predicate for a tree; nil on Apple's platforms if the tree has no format.
  package static func predicate(tree: PredicateTree) -> NSPredicate? {
    #if canImport(ObjectiveC)
      // Foundation raises an exception for an invalid format. A format printed from a tree is valid.
      return (try? tree.format).map { NSPredicate(format: $0, argumentArray: nil) }
    #else
      return NSPredicate.make(tree)
    #endif
  }
}
