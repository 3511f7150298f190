/// How a set of objects was changed. Foundation has it on Apple's platforms.
public enum NSKeyValueSetMutationKind: UInt, Sendable {
  /// The objects were added.
  case union = 1
  /// The objects were removed.
  case minus = 2
  /// All objects except these were removed.
  case intersect = 3
  /// The objects are the new contents.
  case set = 4
}
