/// A queue: first in, first out. Unlike a slice, whose buffer keeps the elements that were dropped from its front, it
/// retains no element that has left.
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
