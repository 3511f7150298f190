/// A page of the free list: the numbers of unused pages, and a reference to the list's next page. It may be empty: the
/// page that was needed for the last number may be the page with that number.
struct FreePage {
  var next: PageReference
  var numbers: [UInt32]

  init(next: PageReference, numbers: [UInt32]) {
    self.next = next
    self.numbers = numbers
  }

  /// `bytes`: a whole page. Nil if it names pages that don't exist.
  init?(_ bytes: [UInt8], pageCount: UInt32) {
    let count = Int(bytes.integer(at: 2, as: UInt16.self))
    guard count <= PageLayout.freeNumbers else { return nil }
    next = PageReference(bytes, at: PageLayout.headerSize)
    let start = PageLayout.headerSize + PageReference.size
    numbers = (0..<count).map { bytes.integer(at: start + 4 * $0) }
    guard numbers.allSatisfy({ $0 >= PageLayout.firstPage && $0 < pageCount }) else { return nil }
  }

  func encoded(number: UInt32, generation: UInt64) -> [UInt8] {
    var page = PageLayout.page(
      kind: .freeList, level: 0, count: numbers.count, number: number, generation: generation)
    next.store(in: &page, at: PageLayout.headerSize)
    var offset = PageLayout.headerSize + PageReference.size
    for free in numbers {
      page.setInteger(free, at: offset)
      offset += 4
    }
    return page
  }
}
