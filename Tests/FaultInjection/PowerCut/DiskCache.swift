import LocalCloudPlatform

/// A disk, and the effects of calls that may not have reached it. It follows calls one by one, like the kernel's cache.
struct DiskCache: Sendable {
  struct Pending: Sendable {
    var effect: DiskEffect
    /// The index of the call that the effect is part of.
    var call: Int
    /// Whether the effect is synced, but has an older effect before it that is not.
    var isDurable = false
    /// Whether the effect was pending when a sync failed. The pages then count as clean, and no later sync writes them.
    var isForgotten = false
  }

  /// The state that is certainly durable.
  private(set) var disk = Disk()
  private(set) var pending: [Pending] = []
  /// The names as programs see them.
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
      names.link(node, NameTree.Entry(folder: folder, name: name))
      sizes[node] = file.bytes.count
      disk.files[node] = FileContent(file.bytes)
      if file.isPrivate { disk.privateFiles.insert(node) }
    }
    for (name, child) in image.folders {
      let node = newNode()
      names.addFolder(node)
      names.link(node, NameTree.Entry(folder: folder, name: name))
      add(child, to: node)
    }
  }

  private mutating func newNode() -> Int {
    defer { nodes += 1 }
    return nodes
  }

  // MARK: Calls

  /// Applies a call. Calls outside of `root` and calls that must have failed have no effect.
  mutating func apply(_ call: FileSystemCall, root: DiskPath, isFailing: Bool = false) {
    defer { calls += 1 }
    if isFailing { return fail(call, root) }
    switch call {
    case .createFile(let path): create(root.entry(path, in: names), isFolder: false)
    case .makeDirectory(let path): create(root.entry(path, in: names), isFolder: true)
    case .write(let path, let offset, let bytes): write(root.node(path, in: names), offset, bytes)
    case .truncate(let path, let size): resize(root.node(path, in: names), size)
    case .rename(let from, let to): rename(root.entry(from, in: names), root.entry(to, in: names))
    case .duplicate(let from, let to): duplicate(root.node(from, in: names), root.entry(to, in: names))
    case .remove(let path): remove(root.entry(path, in: names), isFolder: false)
    case .removeDirectory(let path): remove(root.entry(path, in: names), isFolder: true)
    case .syncFile(let path):
      if let node = root.node(path, in: names) { sync { $0.isContent(of: node) } }
    case .syncDirectory(let path):
      if let node = root.node(path, in: names) { sync { $0.isEntry(of: node) } }
    case .syncFileSystem: sync { _ in true }
    // Images hold no permissions of folders.
    case .setPermissions: break
    case .openFile, .openDirectory, .read, .list, .status, .tryLock, .waitForLock: break
    }
  }

  private mutating func add(_ effect: DiskEffect) { pending.append(Pending(effect: effect, call: calls)) }

  private mutating func create(_ entry: NameTree.Entry?, isFolder: Bool) {
    guard let entry, names.node(entry.name, in: entry.folder) == nil else { return }
    let node = newNode()
    // The node itself exists on the disk at once. Only the name that leads to it may be lost.
    if isFolder {
      names.addFolder(node)
      disk.names.addFolder(node)
    } else {
      sizes[node] = 0
      disk.files[node] = FileContent()
      // Calls do not contain permissions. Keychain files are created private.
      if entry.name.contains("keychain") { disk.privateFiles.insert(node) }
    }
    names.link(node, entry)
    add(.add(node, entry))
  }

  private mutating func write(_ node: Int?, _ offset: Int, _ bytes: [UInt8]) {
    guard let node, let size = sizes[node], !bytes.isEmpty else { return }
    if offset + bytes.count > size { resize(node, offset + bytes.count) }
    // The kernel writes whole pages. Forgotten data of a page that is changed again is written with it.
    for index in pending.indices where pending[index].isForgotten {
      if pending[index].effect.isTouched(byWriteTo: node, offset..<(offset + bytes.count)) {
        pending[index].isForgotten = false
      }
    }
    for block in DiskEffect.blocks(node, offset: offset, bytes) { add(block) }
  }

  private mutating func resize(_ node: Int?, _ size: Int) {
    guard let node, let old = sizes[node], old != size else { return }
    sizes[node] = size
    add(.size(node, size))
  }

  private mutating func rename(_ from: NameTree.Entry?, _ to: NameTree.Entry?) {
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

  /// Two names of one file count as two files: a file with two names is never written to. So the second one may lose
  /// bytes that the first one has for certain.
  private mutating func duplicate(_ node: Int?, _ entry: NameTree.Entry?) {
    guard let node, sizes[node] != nil, let entry, names.node(entry.name, in: entry.folder) == nil else { return }
    var content = disk.files[node] ?? FileContent()
    for pending in pending {
      switch pending.effect {
      case .data(node, let offset, let bytes): content.put(bytes, at: offset)
      case .size(node, let size): content.resize(size)
      default: break
      }
    }
    create(entry, isFolder: false)
    let copy = names.node(entry.name, in: entry.folder)
    if disk.privateFiles.contains(node), let copy { disk.privateFiles.insert(copy) }
    write(copy, 0, content.bytes)
  }

  private mutating func remove(_ entry: NameTree.Entry?, isFolder: Bool) {
    guard let entry, let node = names.node(entry.name, in: entry.folder), names.isFolder(node) == isFolder,
      names.folders[node]?.isEmpty ?? true
    else { return }
    names.unlink(entry)
    add(.remove(entry))
  }

  // MARK: Syncs

  /// Applies a failed call. A failed sync may lose the contents of files for good; any other failed call has no effect.
  /// Names are not lost: a file system that cannot write its own journal accepts no more calls.
  private mutating func fail(_ call: FileSystemCall, _ root: DiskPath) {
    switch call {
    case .syncFile(let path):
      if let node = root.node(path, in: names) { forget { $0.isContent(of: node) } }
    case .syncFileSystem: forget { $0.isContent }
    default: break
    }
  }

  private mutating func forget(_ isSynced: (DiskEffect) -> Bool) {
    for index in pending.indices where !pending[index].isDurable && isSynced(pending[index].effect) {
      pending[index].isForgotten = true
    }
  }

  /// Syncs effects. They stay in order, since a later one may depend on an earlier one: only a durable prefix is
  /// applied to the disk.
  private mutating func sync(_ isSynced: (DiskEffect) -> Bool) {
    for index in pending.indices where !pending[index].isForgotten && isSynced(pending[index].effect) {
      pending[index].isDurable = true
    }
    let durable = pending.prefix { $0.isDurable }.count
    for index in 0..<durable { disk.apply(pending[index].effect) }
    pending.removeFirst(durable)
  }
}
