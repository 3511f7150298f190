/// Writes the pages of a tree's next state: every node on the path to a changed key is written to a new page, all
/// others are shared with the state before.
///
/// Nodes are changed from the leaves up. A changed node is returned to its parent as a ``CellList`` of any length. The
/// parent joins it with a neighbour if it holds too little, splits it into pages if it holds too much, and writes it.
struct TreeEditor {
  private let file: PageFile
  private var writer: PageWriter

  /// A changed child, or several neighbours that were joined.
  private struct Draft {
    /// The children of the old node that it replaces.
    var children: Range<Int>
    var cells: CellList
  }

  init(file: PageFile, following meta: IndexMeta, reusesPages: Bool) {
    self.file = file
    writer = PageWriter(file: file, following: meta, reusesPages: reusesPages)
  }

  /// Writes everything except the meta page, and returns the meta page.
  mutating func apply(_ changes: [KeyChange], to meta: IndexMeta, sequence: Int64) throws -> IndexMeta {
    var result = meta
    if let cells = try editedRoot(changes[...], meta) {
      (result.root, result.level) = try writeRoot(cells)
    }
    result.freeList = try writer.finish()
    result.pageCount = writer.pageCount
    result.transaction = writer.generation
    result.sequence = sequence
    return result
  }

  // MARK: The root

  private mutating func editedRoot(_ changes: ArraySlice<KeyChange>, _ meta: IndexMeta) throws -> CellList? {
    if !meta.root.isNone { return try edited(meta.root, level: meta.level, changes) }
    var cells = CellList(level: 0)
    for change in changes where change.isInsertion { cells.append(key: change.key) }
    return cells.isEmpty ? nil : cells
  }

  private mutating func writeRoot(_ cells: CellList) throws -> (PageReference, level: Int) {
    guard !cells.isEmpty else { return (.none, 0) }
    if cells.level > 0, cells.count == 1 { return try loweredRoot(cells.child(0), level: cells.level - 1) }
    let ranges = cells.pageRanges()
    guard ranges.count > 1 else { return (try writer.write(cells, ranges[0]), cells.level) }
    var parent = CellList(level: cells.level + 1)
    try append(cells, to: &parent, separator: [])
    return try writeRoot(parent)
  }

  /// Replaces a root that has one child by that child, and so on down.
  private mutating func loweredRoot(_ root: PageReference, level: Int) throws -> (PageReference, level: Int) {
    guard level > 0 else { return (root, level) }
    let page = try file.node(root, level: level)
    guard page.count == 1 else { return (root, level) }
    writer.free(root)
    return try loweredRoot(page.child(0), level: level - 1)
  }

  // MARK: Nodes

  /// The node's cells after the changes; its page is freed. Nil if there was nothing to change.
  private mutating func edited(
    _ reference: PageReference, level: Int, _ changes: ArraySlice<KeyChange>
  ) throws -> CellList? {
    guard !changes.isEmpty else { return nil }
    let page = try file.node(reference, level: level)
    guard let cells = page.isLeaf ? editedLeaf(page, changes) : try editedBranch(page, changes) else { return nil }
    writer.free(reference)
    return cells
  }

  private func editedLeaf(_ page: NodePage, _ changes: ArraySlice<KeyChange>) -> CellList? {
    var cells = CellList(level: 0)
    var isChanged = false
    var copied = 0
    for change in changes {
      let (index, isFound) = page.position(of: change.key, from: copied)
      if change.isInsertion == isFound { continue }
      cells.append(page, copied..<index)
      if change.isInsertion { cells.append(key: change.key) }
      copied = isFound ? index + 1 : index
      isChanged = true
    }
    guard isChanged else { return nil }
    cells.append(page, copied..<page.count)
    return cells
  }

  private mutating func editedBranch(_ page: NodePage, _ changes: ArraySlice<KeyChange>) throws -> CellList? {
    var drafts: [Draft] = []
    var rest = changes
    while let first = rest.first {
      let index = page.childIndex(for: first.key)
      let own = rest.prefix { change in
        index + 1 == page.count || ByteOrder.compare(page.bytes, page.key(index + 1).indices, change.key) > 0
      }
      rest = rest[own.endIndex...]
      if let cells = try edited(page.child(index), level: page.level - 1, own) {
        drafts.append(Draft(children: index..<index + 1, cells: cells))
      }
    }
    guard !drafts.isEmpty else { return nil }
    try joinShortDrafts(&drafts, of: page)

    var cells = CellList(level: page.level)
    var copied = 0
    for draft in drafts {
      cells.append(page, copied..<draft.children.lowerBound)
      try append(draft.cells, to: &cells, separator: page.key(draft.children.lowerBound))
      copied = draft.children.upperBound
    }
    cells.append(page, copied..<page.count)
    return cells
  }

  /// Writes a changed node to as many pages as it takes, none if it is empty, and adds them to its parent.
  private mutating func append(
    _ cells: CellList, to parent: inout CellList, separator: ArraySlice<UInt8>
  ) throws {
    for range in cells.pageRanges() {
      let reference = try writer.write(cells, range)
      parent.append(
        reference, separator: range.lowerBound == 0 ? separator : cells.separator(before: range.lowerBound))
    }
  }

  // MARK: Joining

  /// Joins each draft that fills too little of a page with the child after it or, if it is the last, with the one
  /// before it.
  private mutating func joinShortDrafts(_ drafts: inout [Draft], of page: NodePage) throws {
    var index = 0
    while index < drafts.count {
      let draft = drafts[index]
      let isEnough = draft.cells.isEmpty || draft.cells.fill >= PageLayout.minimumFill
      if isEnough || draft.children == 0..<page.count {
        index += 1
      } else if draft.children.upperBound < page.count {
        let next = draft.children.upperBound
        if index + 1 == drafts.count || drafts[index + 1].children.lowerBound > next {
          drafts.insert(try draftOfUnchanged(next, of: page), at: index + 1)
        }
        joinDraft(index, of: &drafts, page)
      } else {
        let previous = draft.children.lowerBound - 1
        if index == 0 || drafts[index - 1].children.upperBound <= previous {
          drafts.insert(try draftOfUnchanged(previous, of: page), at: index)
          index += 1
        }
        index -= 1
        joinDraft(index, of: &drafts, page)
      }
    }
  }

  private mutating func draftOfUnchanged(_ index: Int, of page: NodePage) throws -> Draft {
    let reference = page.child(index)
    let cells = CellList(try file.node(reference, level: page.level - 1))
    writer.free(reference)
    return Draft(children: index..<index + 1, cells: cells)
  }

  /// Joins the draft at `index` with the one after it.
  private func joinDraft(_ index: Int, of drafts: inout [Draft], _ page: NodePage) {
    let next = drafts.remove(at: index + 1)
    drafts[index].cells.append(next.cells, separator: page.key(next.children.lowerBound))
    drafts[index].children = drafts[index].children.lowerBound..<next.children.upperBound
  }
}
