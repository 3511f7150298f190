import Platform

/// A disk and what programs did that may not have reached it: follows calls one by one, as the kernel's cache does.
struct DiskCache: Sendable {
  struct Pending: Sendable {
    var effect: DiskEffect
    /// Which call it is a part of.
    var call: Int
    /// Synced, but after something older that is not.
    var isDurable = false
    /// Written while a sync failed: the pages count as clean, and no later sync writes them.
    var isForgotten = false
  }

  /// What is durable for certain.
  private(set) var disk = Disk()
  private(set) var pending: [Pending] = []
  /// As programs see it.
  private var names = NameTree()
  private var sizes: [Int: Int] = [:]
  private var nodes = 1
  private var calls = 0

  init(_ image: FolderImage) {
    add(image, to: NameTree.root)
    disk.names = names
  }

  private mutating func add(_ image: FolderImage, to folder: Int) {
    for (name, file) in image.files {
      let node = newNode()
      names.link(node, NameTree.Place(folder: folder, name: name))
      sizes[node] = file.bytes.count
      disk.files[node] = FileContent(file.bytes)
      if file.isPrivate { disk.privateFiles.insert(node) }
    }
    for (name, child) in image.folders {
      let node = newNode()
      names.addFolder(node)
      names.link(node, NameTree.Place(folder: folder, name: name))
      add(child, to: node)
    }
  }

  private mutating func newNode() -> Int {
    defer { nodes += 1 }
    return nodes
  }

  // MARK: Calls

  /// Calls outside `root`, and those that must have failed, have no effect.
  mutating func follow(_ call: FileSystemCall, root: DiskPath, isFailing: Bool = false) {
    defer { calls += 1 }
    if isFailing { return fail(call, root) }
    switch call {
    case .createFile(let path): create(root.place(path, in: names), isFolder: false)
    case .makeDirectory(let path): create(root.place(path, in: names), isFolder: true)
    case .write(let path, let offset, let bytes): write(root.node(path, in: names), offset, bytes)
    case .truncate(let path, let size): resize(root.node(path, in: names), size)
    case .rename(let from, let to): rename(root.place(from, in: names), root.place(to, in: names))
    case .remove(let path): remove(root.place(path, in: names), isFolder: false)
    case .removeDirectory(let path): remove(root.place(path, in: names), isFolder: true)
    case .syncFile(let path):
      if let node = root.node(path, in: names) { sync { $0.isContent(of: node) } }
    case .syncDirectory(let path):
      if let node = root.node(path, in: names) { sync { $0.isEntry(of: node) } }
    case .syncFileSystem: sync { _ in true }
    case .openFile, .openDirectory, .read, .list, .status, .tryLock, .waitForLock: break
    }
  }

  private mutating func add(_ effect: DiskEffect) { pending.append(Pending(effect: effect, call: calls)) }

  private mutating func create(_ place: NameTree.Place?, isFolder: Bool) {
    guard let place, names.node(place.name, in: place.folder) == nil else { return }
    let node = newNode()
    // It is there on the disk at once; what counts is whether a name leads to it.
    if isFolder {
      names.addFolder(node)
      disk.names.addFolder(node)
    } else {
      sizes[node] = 0
      disk.files[node] = FileContent()
      // Calls do not tell of permissions; a keychain is made private from the beginning.
      if place.name.contains("keychain") { disk.privateFiles.insert(node) }
    }
    names.link(node, place)
    add(.add(node, place))
  }

  private mutating func write(_ node: Int?, _ offset: Int, _ bytes: [UInt8]) {
    guard let node, let size = sizes[node], !bytes.isEmpty else { return }
    if offset + bytes.count > size { resize(node, offset + bytes.count) }
    // The kernel writes whole pages: what was forgotten of one that is changed again goes along.
    for place in pending.indices where pending[place].isForgotten {
      if pending[place].effect.isTouched(byWriteTo: node, offset..<(offset + bytes.count)) {
        pending[place].isForgotten = false
      }
    }
    for block in DiskEffect.blocks(node, offset: offset, bytes) { add(block) }
  }

  private mutating func resize(_ node: Int?, _ size: Int) {
    guard let node, let old = sizes[node], old != size else { return }
    sizes[node] = size
    add(.size(node, size))
  }

  private mutating func rename(_ from: NameTree.Place?, _ to: NameTree.Place?) {
    guard let from, let to, let node = names.node(from.name, in: from.folder), !names.isInside(to.folder, node)
    else { return }
    if let target = names.node(to.name, in: to.folder) {
      guard target != node, names.isFolder(target) == names.isFolder(node),
        names.folders[target]?.isEmpty ?? true
      else { return }
    }
    names.link(node, to)
    add(.move(node, from: from, to: to))
  }

  private mutating func remove(_ place: NameTree.Place?, isFolder: Bool) {
    guard let place, let node = names.node(place.name, in: place.folder), names.isFolder(node) == isFolder,
      names.folders[node]?.isEmpty ?? true
    else { return }
    names.unlink(place)
    add(.remove(place))
  }

  // MARK: Syncs

  /// A sync that fails; any other call that does has no effect. The contents of files may never reach the disk then. Names
  /// are the file system's own: one that can't write its journal takes no calls any more.
  private mutating func fail(_ call: FileSystemCall, _ root: DiskPath) {
    switch call {
    case .syncFile(let path):
      if let node = root.node(path, in: names) { forget { $0.isContent(of: node) } }
    case .syncFileSystem: forget { $0.isContent }
    default: break
    }
  }

  private mutating func forget(_ isSynced: (DiskEffect) -> Bool) {
    for place in pending.indices where !pending[place].isDurable && isSynced(pending[place].effect) {
      pending[place].isForgotten = true
    }
  }

  /// Effects are kept in order, since a later one may build on an earlier: only the oldest ones go to the disk for good.
  private mutating func sync(_ isSynced: (DiskEffect) -> Bool) {
    for place in pending.indices where !pending[place].isForgotten && isSynced(pending[place].effect) {
      pending[place].isDurable = true
    }
    let settled = pending.prefix { $0.isDurable }.count
    for place in 0..<settled { disk.apply(pending[place].effect) }
    pending.removeFirst(settled)
  }
}
