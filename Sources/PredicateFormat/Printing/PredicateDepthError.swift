/// A tree of more than ``PredicateTree/maximumDepth`` levels, which no parser made.
package struct PredicateDepthError: Error, Hashable, Sendable, CustomStringConvertible {
  package var description: String { "The predicate is more than \(PredicateTree.maximumDepth) levels deep" }
}
