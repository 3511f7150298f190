extension Array {
  /// The elements in their order, in parts of that many; the last part may have fewer.
  package func chunks(of count: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: self.count, by: count).map { self[$0..<Swift.min($0 + count, self.count)] }
  }

  /// The index of the first element for which the condition holds; the number of elements if there is none. It has to
  /// hold for all elements behind that one, too.
  package func partitionIndex(where holds: (Element) throws -> Bool) rethrows -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if try holds(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
