import LocalCloudPlatform

/// The folder for files that repair can't interpret: `aside/<time>/` in the root, each file under its former path.
package struct Quarantine {
  package static let folder = "aside"
  private let root: Directory
  private let stamp: String

  package init(_ root: Directory, at milliseconds: Int64) {
    self.root = root
    stamp = Timestamp.text(milliseconds: milliseconds).replacing(":", with: "")
  }

  /// The quarantine's path in the root. Below it a file keeps its former path.
  package var path: String { "\(Self.folder)/\(stamp)" }

  /// Moves a stray entry into the quarantine. Returns the repair that was made.
  package func move(_ stray: Stray) throws -> Problem {
    let moved = try move(stray.name, in: stray.folder)
    return Problem(path: stray.problem.path, text: "\(stray.text): it is in \(moved)")
  }

  /// Moves a file or folder into the quarantine. Returns ``path``.
  package func move(_ name: String, in directory: Directory) throws -> String {
    let (folder, free) = try self.destination(for: name, in: directory)
    try directory.rename(name, to: folder, as: free)
    return path
  }

  /// Copies a file into the quarantine and leaves the original: for a file that other processes have open, or that is
  /// about to be rewritten. Returns ``path``.
  package func copy(_ name: String, in directory: Directory, mode: UInt32 = 0o666) throws -> String {
    let (folder, free) = try self.destination(for: name, in: directory)
    try folder.writeStaged(free, try directory.contents(name) ?? [], mode: mode)
    return path
  }

  /// Writes a file that describes the others, to the quarantine's own folder.
  package func write(_ bytes: [UInt8], as name: String) throws {
    let (folder, free) = try self.destination(for: name, in: root)
    try folder.writeStaged(free, bytes)
  }

  private func destination(for name: String, in directory: Directory) throws -> (Directory, String) {
    let components = directory.path.dropFirst(root.path.count).split(separator: "/").map(String.init)
    let folder = try makeDurably([Self.folder, stamp] + components)
    return (folder, try folder.freeName(name))
  }

  /// Moves the entries of another quarantine to this folder of quarantines, and makes them durable.
  package static func move(_ former: Directory, to folder: Directory) throws {
    for entry in try former.entries() {
      try former.rename(entry.name, to: folder, as: folder.freeName(entry.name))
    }
    try folder.sync()
  }

  /// Makes nested folders, durably: a file that is moved there before its folder is durable may be lost.
  private func makeDurably(_ path: [String]) throws -> Directory {
    if let folder = try root.directory(at: path) { return folder }
    var folder = root
    for name in path {
      try folder.makeDirectory(name)
      try folder.sync()
      folder = try folder.directory(name)
    }
    return folder
  }
}

extension Directory {
  /// The name, or the first unused one with a number appended.
  fileprivate func freeName(_ name: String) throws -> String {
    var (free, number) = (name, 1)
    while try exists(free) {
      number += 1
      free = "\(name).\(number)"
    }
    return free
  }
}

/// An entry of a folder that does not belong there.
package struct Stray {
  package var folder: Directory
  package var name: String
  /// The reason why it does not belong there.
  package var text: String

  package init(folder: Directory, name: String, text: String) {
    self.folder = folder
    self.name = name
    self.text = text
  }

  package var problem: Problem { Problem(path: folder.path(of: name), text: text) }
}

/// The repairs that were made, and the problems that are left.
package struct RepairReport: Sendable, Hashable {
  package var done: [Problem]
  package var left: [Problem]

  package init(done: [Problem], left: [Problem]) {
    self.done = done
    self.left = left
  }
}
