/// Reads paths of calls, which begin with the folder that is followed.
struct DiskPath: Sendable {
  private let root: [Substring]

  init(root: String) { self.root = root.split(separator: "/") }

  private func components(_ path: String) -> ArraySlice<Substring>? {
    let components = path.split(separator: "/")
    guard components.starts(with: root) else { return nil }
    return components.dropFirst(root.count)
  }

  /// What the path leads to, or led to when it was opened.
  func node(_ path: String, in names: NameTree) -> Int? { components(path).flatMap { names.find($0) } }

  /// A name in a folder, whether or not there is something under it.
  func place(_ path: String, in names: NameTree) -> NameTree.Place? {
    guard let components = components(path), let name = components.last,
      let folder = names.find(components.dropLast()), names.isFolder(folder)
    else { return nil }
    return NameTree.Place(folder: folder, name: String(name))
  }
}
