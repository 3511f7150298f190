/// The cells of a node while it is being changed: any number, split into pages afterwards.
///
/// The first cell of a branch has no separator here, as in a page. A separator is added when another node is inserted
/// before the cell.
struct CellList {
  let level: Int
  private var bytes: [UInt8] = []
  private var ends: [Int] = []

  init(level: Int) {
    self.level = level
  }

  init(_ page: NodePage) {
    self.init(level: page.level)
    append(page, 0..<page.count)
  }

  var count: Int { ends.count }
  var isEmpty: Bool { ends.isEmpty }
  /// The number of bytes that the cells and their slots take of a page's capacity.
  var fill: Int { bytes.count + PageLayout.slotSize * ends.count }

  func child(_ index: Int) -> PageReference { PageReference(bytes, at: start(index)) }

  /// A leaf's key or a branch's separator.
  func key(_ index: Int) -> ArraySlice<UInt8> {
    bytes[(level == 0 ? start(index) : start(index) + PageReference.size)..<ends[index]]
  }

  private func start(_ index: Int) -> Int { index == 0 ? 0 : ends[index - 1] }

  // MARK: Appending

  mutating func append(key: some Collection<UInt8>) {
    bytes.append(contentsOf: key)
    ends.append(bytes.count)
  }

  mutating func append(_ child: PageReference, separator: some Collection<UInt8>) {
    child.append(to: &bytes)
    if !ends.isEmpty { bytes.append(contentsOf: separator) }
    ends.append(bytes.count)
  }

  mutating func append(_ page: NodePage, _ range: Range<Int>) {
    var range = range
    if level > 0, isEmpty, range.lowerBound > 0, !range.isEmpty {
      append(page.child(range.lowerBound), separator: [])
      range.removeFirst()
    }
    guard !range.isEmpty else { return }
    let shift = bytes.count - page.cellOffset(range.lowerBound)
    bytes.append(contentsOf: page.bytes[page.cells(range)])
    for index in range { ends.append(page.cellOffset(index + 1) + shift) }
  }

  /// Appends the cells of the next node. `separator`: the parent's separator between the two nodes.
  mutating func append(_ next: CellList, separator: ArraySlice<UInt8>) {
    guard !next.isEmpty else { return }
    var copied = 0
    if level > 0 {
      append(next.child(0), separator: separator)
      copied = 1
    }
    let shift = bytes.count - (copied == 0 ? 0 : next.ends[0])
    bytes.append(contentsOf: next.bytes[next.start(copied)...])
    for end in next.ends[copied...] { ends.append(end + shift) }
  }

  // MARK: Splitting

  /// The cells of each page, divided as evenly as their lengths permit.
  func pageRanges() -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var rest = fill
    var first = 0
    while first < count {
      let pages = (rest + PageLayout.capacity - 1) / PageLayout.capacity
      let aim = rest / pages
      var end = first
      var filled = 0
      while end < count {
        let size = ends[end] - start(end) + PageLayout.slotSize
        if filled + size > PageLayout.capacity || (filled > 0 && filled + size / 2 > aim) { break }
        filled += size
        end += 1
      }
      ranges.append(first..<end)
      first = end
      rest -= filled
    }
    return ranges
  }

  /// The parent's separator between the page that begins at cell `index` and the page before it. `index` must not be
  /// this list's first cell.
  func separator(before index: Int) -> ArraySlice<UInt8> {
    level > 0 ? key(index) : ByteOrder.separator(between: key(index - 1), and: key(index))
  }

  func encodedPage(_ range: Range<Int>, number: UInt32, generation: UInt64) -> [UInt8] {
    var page = PageLayout.page(
      kind: .node, level: level, count: range.count, number: number, generation: generation)
    let stripped = level > 0 ? key(range.lowerBound).count : 0
    let bodyStart = PageLayout.headerSize + PageLayout.slotSize * range.count
    let shift = start(range.lowerBound) + stripped
    precondition(bodyStart + ends[range.upperBound - 1] - shift <= PageLayout.size)
    var slot = PageLayout.headerSize
    for index in range {
      page.setInteger(UInt16(ends[index] - shift), at: slot)
      slot += PageLayout.slotSize
    }
    var body = bodyStart
    var copied = start(range.lowerBound)
    if level > 0 {
      copy(copied..<copied + PageReference.size, to: body, in: &page)
      body += PageReference.size
      copied = ends[range.lowerBound]
    }
    copy(copied..<ends[range.upperBound - 1], to: body, in: &page)
    return page
  }

  private func copy(_ range: Range<Int>, to offset: Int, in page: inout [UInt8]) {
    precondition(offset + range.count <= page.count)
    bytes[range].withUnsafeBytes { source in
      page.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[offset...]).copyMemory(from: source) }
    }
  }
}
