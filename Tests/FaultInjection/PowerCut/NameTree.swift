/// Maps names to files and folders. Both are represented by numbers. The root is 0. No node has two names.
struct NameTree: Sendable {
  struct Entry: Sendable {
    var folder: Int
    var name: String
  }

  static let root = 0

  private(set) var folders: [Int: [String: Int]] = [root: [:]]
  private var entries: [Int: Entry] = [:]
  /// The last node that lost each name. A program may still have it open and refer to it by that path.
  private var leavers: [Int: [String: Int]] = [:]

  func isFolder(_ node: Int) -> Bool { folders[node] != nil }

  func node(_ name: String, in folder: Int) -> Int? { folders[folder]?[name] }

  /// Whether a folder is this node or lies below it.
  func isInside(_ folder: Int, _ node: Int) -> Bool {
    var next: Int? = folder
    while let current = next {
      if current == node { return true }
      next = entries[current]?.folder
    }
    return false
  }

  mutating func addFolder(_ node: Int) { folders[node] = [:] }

  /// Moves a node to a name. Replaces the node that has that name.
  mutating func link(_ node: Int, _ entry: Entry) {
    if let old = entries[node] { unlink(old) }
    unlink(entry)
    folders[entry.folder]?[entry.name] = node
    entries[node] = entry
  }

  mutating func unlink(_ entry: Entry) {
    guard let node = folders[entry.folder]?.removeValue(forKey: entry.name) else { return }
    entries[node] = nil
    leavers[entry.folder, default: [:]][entry.name] = node
  }

  /// The node that a path leads to, or led to before.
  func find(_ components: ArraySlice<Substring>) -> Int? {
    var node = Self.root
    for component in components {
      let name = String(component)
      guard let next = folders[node]?[name] ?? leavers[node]?[name] else { return nil }
      node = next
    }
    return node
  }
}
