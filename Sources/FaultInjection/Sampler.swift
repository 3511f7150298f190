/// Takes one in so many.
package struct Sampler {
  private let distance: Int
  private var count: Int

  /// None with a distance of 0. The seed says which of the first ones is taken.
  package init(oneIn distance: Int, seed: UInt64) {
    self.distance = distance
    count = distance > 0 ? Int(seed % UInt64(distance)) : 0
  }

  package mutating func takes() -> Bool {
    guard distance > 0 else { return false }
    count += 1
    return count % distance == 0
  }
}
