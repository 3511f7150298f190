/// What is on a disk: names and contents.
struct Disk: Sendable {
  var names = NameTree()
  var files: [Int: FileContent] = [:]
  /// Files that are their owner's alone.
  var privateFiles: Set<Int> = []

  /// An effect on something that is not there any more, or not yet, ends where nobody finds it. A rename takes the file
  /// along from wherever it is by then; what meanwhile has the name it came from, because something before was lost,
  /// keeps it.
  mutating func apply(_ effect: DiskEffect) {
    switch effect {
    case .data(let node, let offset, let bytes): files[node]?.put(bytes, at: offset)
    case .size(let node, let size): files[node]?.resize(size)
    case .add(let node, let place): names.link(node, place)
    case .remove(let place): names.unlink(place)
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
