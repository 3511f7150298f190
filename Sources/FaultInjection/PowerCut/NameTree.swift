/// Which names lead to which files and folders, by number. The root is 0; nothing has two names.
struct NameTree: Sendable {
  struct Place: Sendable {
    var folder: Int
    var name: String
  }

  static let root = 0

  private(set) var folders: [Int: [String: Int]] = [root: [:]]
  private var places: [Int: Place] = [:]
  /// What last left a name: a program may still hold it open, and calls it by the path under which it opened it.
  private var leavers: [Int: [String: Int]] = [:]

  func isFolder(_ node: Int) -> Bool { folders[node] != nil }

  func node(_ name: String, in folder: Int) -> Int? { folders[folder]?[name] }

  /// Whether a folder is this node, or somewhere in it.
  func isInside(_ folder: Int, _ node: Int) -> Bool {
    var next: Int? = folder
    while let current = next {
      if current == node { return true }
      next = places[current]?.folder
    }
    return false
  }

  mutating func addFolder(_ node: Int) { folders[node] = [:] }

  /// Puts a node under a name, in the place of what has that name, and away from where it was.
  mutating func link(_ node: Int, _ place: Place) {
    if let old = places[node] { unlink(old) }
    unlink(place)
    folders[place.folder]?[place.name] = node
    places[node] = place
  }

  mutating func unlink(_ place: Place) {
    guard let node = folders[place.folder]?.removeValue(forKey: place.name) else { return }
    places[node] = nil
    leavers[place.folder, default: [:]][place.name] = node
  }

  /// What a path leads to, or led to.
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
