import LocalCloudPlatform

/// A folder and its contents in memory. Of the permissions it only records the files that are private to their owner.
package struct FolderImage: Sendable, Hashable {
  package var files: [String: FileImage] = [:]
  package var folders: [String: FolderImage] = [:]

  package struct FileImage: Sendable, Hashable {
    package var bytes: [UInt8]
    package var isPrivate: Bool

    package init(bytes: [UInt8], isPrivate: Bool = false) {
      self.bytes = bytes
      self.isPrivate = isPrivate
    }
  }

  package init() {}

  /// Reads the folder at `path`. A missing folder gives an empty image.
  package init(of path: String) throws {
    do { self = try Self(try Directory.open(path: path, in: FileSystem())) } catch let error as SystemError
      where error.isMissing
    {}
  }

  /// A placeholder for the mark (``Directory/mark(of:)``) of a file in the same folder. Programs tell a folder from its
  /// copies by the mark. `write(to:)` replaces the placeholder with the new mark, because a disk after a power cut is
  /// not a copy.
  private static let markOf = "\u{0}the mark of "

  private static func marked(_ file: FileImage) -> String? {
    let prefix = Array(markOf.utf8)
    return file.bytes.starts(with: prefix) ? String(decoding: file.bytes.dropFirst(prefix.count), as: UTF8.self) : nil
  }

  private init(_ directory: Directory) throws {
    for entry in try directory.entries() {
      switch entry.kind {
      case .directory:
        folders[entry.name] = try FolderImage(try directory.directory(entry.name))
      case .file:
        let bytes = try directory.contents(entry.name) ?? []
        files[entry.name] = FileImage(bytes: bytes, isPrivate: try directory.permissions(of: entry.name) == 0o600)
      case .other: break
      }
    }
    for (name, file) in files where name.hasPrefix(".") && (1...200).contains(file.bytes.count) {
      let marked = try files.keys.first { other in
        try !other.hasPrefix(".") && directory.mark(of: other).map { Array($0.utf8) } == file.bytes
      }
      if let marked { files[name]?.bytes = Array((Self.markOf + marked).utf8) }
    }
  }

  /// Creates the folder at `path`, where nothing may exist yet.
  package func write(to path: String) throws {
    let fileSystem = FileSystem()
    try Directory.make(path: path, in: fileSystem)
    try write(into: try Directory.open(path: path, in: fileSystem))
  }

  /// Runs `body` on a temporary copy of the folder.
  package func onCopy<Result>(_ body: (String) throws -> Result) throws -> Result {
    let path = MemoryFolder.newPath("copy")
    try write(to: path)
    defer { try? ScratchFolder.remove(path) }
    return try body(path)
  }

  private func write(into directory: Directory) throws {
    var marks: [(name: String, marked: String)] = []
    for (name, file) in files {
      if let marked = Self.marked(file) {
        marks.append((name, marked))
      } else {
        let mode: UInt32 = file.isPrivate ? 0o600 : 0o666
        try directory.createFile(name, mode: mode, exclusively: true).write(file.bytes, at: 0)
      }
    }
    for (name, marked) in marks {
      let mark = try directory.mark(of: marked) ?? ""
      try directory.createFile(name, exclusively: true).write(Array(mark.utf8), at: 0)
    }
    for (name, folder) in folders {
      // Only the user may enter the folders, so that the permissions of a store need no correction when it is opened.
      try directory.makeDirectory(name, isPrivate: true)
      try folder.write(into: try directory.directory(name))
    }
  }

  /// The image without unnamed files, because these vanish when their process ends.
  var withoutUnnamed: FolderImage { mappingFiles { $0.filter { !$0.key.hasPrefix("#") } } }

  /// The image with the files of each folder replaced by `change`.
  package func mappingFiles(_ change: ([String: FileImage]) -> [String: FileImage]) -> FolderImage {
    var image = self
    image.files = change(files)
    image.folders = folders.mapValues { $0.mappingFiles(change) }
    return image
  }

  /// The differences between two images, one line for each name. Permissions are ignored.
  package func differences(from other: FolderImage, path: String = "") -> [String] {
    var lines: [String] = []
    for name in Set(files.keys).union(other.files.keys).sorted() {
      switch (files[name], other.files[name]) {
      case (nil, _): lines.append("\(path)\(name) is missing")
      case (_, nil): lines.append("\(path)\(name) is too much")
      case (let mine?, let theirs?):
        if mine.bytes == theirs.bytes { continue }
        let first = zip(mine.bytes, theirs.bytes).enumerated().first { $1.0 != $1.1 }?.offset
        lines.append(
          "\(path)\(name) has \(mine.bytes.count) bytes, not \(theirs.bytes.count), and differs from byte "
            + "\(first ?? min(mine.bytes.count, theirs.bytes.count))")
      }
    }
    for name in Set(folders.keys).union(other.folders.keys).sorted() {
      switch (folders[name], other.folders[name]) {
      case (nil, _): lines.append("\(path)\(name)/ is missing")
      case (_, nil): lines.append("\(path)\(name)/ is too much")
      case (let mine?, let theirs?): lines += mine.differences(from: theirs, path: "\(path)\(name)/")
      }
    }
    return lines
  }
}
