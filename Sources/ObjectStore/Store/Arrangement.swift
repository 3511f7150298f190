import LocalCloudPlatform

/// How the members of an ordered relationship are put in order.
package enum Arrangement {
  /// All present members as they are wanted. Those that are not named stay behind the one that they follow.
  package static func merged<Member: Hashable>(_ present: [Member], by wanted: [Member]) -> [Member] {
    let named = Set(wanted)
    var rest = Set(present)
    var first: [Member] = []
    var followers: [Member: [Member]] = [:]
    var anchor: Member?
    for member in present {
      if named.contains(member) {
        anchor = member
      } else if let anchor {
        followers[anchor, default: []].append(member)
      } else {
        first.append(member)
      }
    }
    // A member that is named twice is added once.
    for member in wanted where rest.remove(member) != nil {
      first.append(member)
      first += followers[member] ?? []
    }
    return first
  }

  /// The distance between the positions of new members, so that others find room between them.
  static let distance: Int64 = 1 << 16

  /// Rising positions that change as few of the present ones as possible. `present`: the members' present positions, in
  /// the wanted order. `next`: returns a position behind all others, and not before `end`.
  static func positions(_ present: [Int64], end: Int64, next: () -> Int64) -> [Int64] {
    // This library never assigns positions outside of this range. They could overflow in the code below.
    var kept = rising(present.map { $0 > -1 << 60 && $0 < end ? $0 : nil })[...]
    var result: [Int64] = []
    result.reserveCapacity(present.count)
    while result.count < present.count {
      if kept.first == result.count {
        result.append(present[kept.removeFirst()])
        continue
      }
      guard let end = kept.first else {
        result.append(next())
        continue
      }
      let count = Int64(end - result.count)
      guard let last = result.last else {
        result += (0..<count).map { present[end] - distance * (count - $0) }
        continue
      }
      let step = (present[end] - last) / (count + 1)
      // Without room between them, the next one moves, too.
      if step == 0 { kept.removeFirst() } else { result += (1...count).map { last + step * $0 } }
    }
    return result
  }

  /// The indexes of a longest rising sequence of numbers.
  package static func rising(_ numbers: [Int64?]) -> [Int] {
    // The index at which the best sequence of each length ends, and the predecessor of each index in its sequence.
    var ends: [Int] = []
    var previous = [Int?](repeating: nil, count: numbers.count)
    for (index, number) in numbers.enumerated() {
      guard let number else { continue }
      let length = ends.partitionIndex { numbers[$0] ?? number >= number }
      previous[index] = length > 0 ? ends[length - 1] : nil
      if length == ends.count { ends.append(index) } else { ends[length] = index }
    }
    var result: [Int] = []
    var index = ends.last
    while let present = index {
      result.append(present)
      index = previous[present]
    }
    return result.reversed()
  }
}
