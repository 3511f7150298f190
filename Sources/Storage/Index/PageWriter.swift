/// Allocates, frees and writes pages for one transaction.
///
/// A page that the transaction frees belongs to the state before it. That state must stay intact until the new meta
/// page is written. So pages are allocated from that state's free list, or from the end of the file. Freed pages enter
/// the list that this transaction writes; the next one may allocate them.
struct PageWriter {
  let file: PageFile
  let generation: UInt64
  private(set) var pageCount: UInt32
  private let earlierPageCount: UInt32
  private var available: [UInt32] = []
  private var freed: [UInt32] = []
  /// The part of the free list that was not read yet and so stays unchanged.
  private var unread: PageReference
  /// Whether pages of earlier states than the last one may be overwritten.
  private let reusesPages: Bool

  init(file: PageFile, following meta: IndexMeta, reusesPages: Bool = true) {
    self.file = file
    generation = meta.transaction + 1
    pageCount = meta.pageCount
    earlierPageCount = meta.pageCount
    unread = meta.freeList
    self.reusesPages = reusesPages
  }

  mutating func write(_ cells: CellList, _ range: Range<Int>) throws -> PageReference {
    let number = try allocate()
    let page = cells.encodedPage(range, number: number, generation: generation)
    let reference = try write(page, to: number)
    if let known = file.known, let node = NodePage(page, level: cells.level) { known.store(node, reference) }
    return reference
  }

  mutating func free(_ reference: PageReference) {
    freed.append(reference.number)
  }

  /// Writes the free list of the new state. No page can be allocated afterwards.
  mutating func finish() throws -> PageReference {
    if freed.isEmpty { return unread }
    // The list's first page is nearly always short. Joining it keeps the chain from growing by a page per transaction.
    if available.isEmpty { try readFreePage() }
    var pageNumbers: [UInt32] = []
    while pageNumbers.count * PageLayout.freeNumbers < available.count + freed.count {
      pageNumbers.append(try allocate())
    }
    var numbers = (available + freed)[...]
    var list = unread
    for pageNumber in pageNumbers {
      let page = FreePage(next: list, numbers: Array(numbers.prefix(PageLayout.freeNumbers)))
      numbers = numbers.dropFirst(PageLayout.freeNumbers)
      list = try write(page.encoded(number: pageNumber, generation: generation), to: pageNumber)
    }
    return list
  }

  private mutating func allocate() throws -> UInt32 {
    if available.isEmpty { try readFreePage() }
    if let number = available.popLast() { return number }
    pageCount += 1
    return pageCount - 1
  }

  private mutating func readFreePage() throws {
    while reusesPages, available.isEmpty, !unread.isNone {
      let page = try file.freePage(unread, pageCount: earlierPageCount)
      available = page.numbers
      free(unread)
      unread = page.next
    }
  }

  private func write(_ page: [UInt8], to number: UInt32) throws -> PageReference {
    try file.file.write(page, at: Int(number) * PageLayout.size)
    return PageReference(number: number, generation: generation, checksum: page.withUnsafeBytes({ Digest.hash64($0) }))
  }
}
