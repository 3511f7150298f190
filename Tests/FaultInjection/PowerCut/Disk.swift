/// The contents of a disk: names and files.
struct Disk: Sendable {
  var names = NameTree()
  var files: [Int: FileContent] = [:]
  /// Files that only their owner can access.
  var privateFiles: Set<Int> = []

  /// Applies an effect. An effect on a file or folder that does not exist changes nothing that is visible. A rename
  /// moves the file from its present name. If an earlier effect was lost and another file has the rename's old name,
  /// that file keeps it.
  mutating func apply(_ effect: DiskEffect) {
    switch effect {
    case .data(let node, let offset, let bytes): files[node]?.put(bytes, at: offset)
    case .size(let node, let size): files[node]?.resize(size)
    case .add(let node, let entry): names.link(node, entry)
    case .remove(let entry): names.unlink(entry)
    case .move(let node, _, let to): names.link(node, to)
    }
  }

  var image: FolderImage { image(of: NameTree.root) }

  private func image(of folder: Int) -> FolderImage {
    var image = FolderImage()
    for (name, node) in names.folders[folder] ?? [:] {
      if names.isFolder(node) {
        image.folders[name] = self.image(of: node)
      } else {
        image.files[name] = FolderImage.FileImage(
          bytes: files[node]?.bytes ?? [], isPrivate: privateFiles.contains(node))
      }
    }
    return image
  }
}

/// Resolves the paths of calls. The paths begin with the path of the observed folder.
struct DiskPath: Sendable {
  private let root: [Substring]

  init(root: String) { self.root = root.split(separator: "/") }

  private func components(_ path: String) -> ArraySlice<Substring>? {
    let components = path.split(separator: "/")
    guard components.starts(with: root) else { return nil }
    return components.dropFirst(root.count)
  }

  /// The node that the path leads to, or led to when it was opened.
  func node(_ path: String, in names: NameTree) -> Int? { components(path).flatMap { names.find($0) } }

  /// The folder and name of a path's last component, whether or not the name exists.
  func entry(_ path: String, in names: NameTree) -> NameTree.Entry? {
    guard let components = components(path), let name = components.last,
      let folder = names.find(components.dropLast()), names.isFolder(folder)
    else { return nil }
    return NameTree.Entry(folder: folder, name: String(name))
  }
}
