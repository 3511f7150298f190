/// A queue: first in, first out. It retains no element that was removed. A slice would: its buffer holds the elements
/// that were dropped from its front.
struct Line<Element> {
  private var arrived: [Element] = []
  private var next: [Element] = []

  mutating func join(_ element: Element) {
    arrived.append(element)
  }

  mutating func leave() -> Element? {
    if next.isEmpty {
      next = arrived.reversed()
      arrived = []
    }
    return next.popLast()
  }
}
