/// A check of every page of one state of an index.
struct IndexVerifier {
  private let file: PageFile
  private let meta: IndexMeta
  private var isSeen: [Bool]
  private var last: [UInt8]?

  init(file: PageFile, meta: IndexMeta) throws {
    self.file = file
    self.meta = meta
    guard Int(meta.pageCount) * PageLayout.size <= (try file.file.size()) else {
      throw file.damage("shorter than its \(meta.pageCount) pages")
    }
    isSeen = [Bool](repeating: false, count: Int(meta.pageCount))
    isSeen[0] = true
    isSeen[1] = true
  }

  /// Throws ``IndexDamage`` unless keys are in order and within their separators, all leaves are equally deep, and each
  /// page is either used once or free.
  mutating func verify() throws {
    if !meta.root.isNone { try verify(meta.root, level: meta.level, from: [], to: nil) }
    var list = meta.freeList
    while !list.isNone {
      try mark(list.number)
      let page = try file.freePage(list, pageCount: meta.pageCount)
      for number in page.numbers { try mark(number) }
      list = page.next
    }
    if let lost = isSeen.firstIndex(of: false) { throw file.damage("page \(lost) is neither used nor free") }
  }

  private mutating func verify(_ reference: PageReference, level: Int, from lower: [UInt8], to upper: [UInt8]?) throws {
    try mark(reference.number)
    let page = try file.node(reference, level: level)
    for index in 0..<page.count {
      let key = index == 0 && !page.isLeaf ? lower : Array(page.key(index))
      guard ByteOrder.compare(lower, key) <= 0, upper.map({ ByteOrder.compare(key, $0) < 0 }) ?? true else {
        throw file.damage("page \(reference.number) holds what belongs to another")
      }
      if page.isLeaf {
        if let last, ByteOrder.compare(last, key) >= 0 { throw file.damage("page \(reference.number) is out of order") }
        last = key
      } else {
        let next = index + 1 < page.count ? Array(page.key(index + 1)) : upper
        try verify(page.child(index), level: level - 1, from: key, to: next)
      }
    }
  }

  private mutating func mark(_ number: UInt32) throws {
    guard number < meta.pageCount, !isSeen[Int(number)] else { throw file.damage("page \(number) is used twice") }
    isSeen[Int(number)] = true
  }
}
