import Platform

/// The folder for files that repair can't explain: `aside/<time>/` in the root, each file under its former path.
package struct Quarantine {
  package static let folder = "aside"
  private let root: Directory
  private let stamp: String

  package init(_ root: Directory, at milliseconds: Int64) {
    self.root = root
    stamp = Timestamp.text(milliseconds: milliseconds).replacing(":", with: "")
  }

  /// Moves a file or folder into the quarantine. Returns the quarantine's path in the root, below which the file keeps
  /// its former path.
  package func move(_ name: String, in directory: Directory) throws -> String {
    let (place, free) = try self.place(for: name, in: directory)
    try directory.rename(name, to: place, as: free)
    return "\(Self.folder)/\(stamp)"
  }

  /// Copies a file into the quarantine and leaves the original in place: for a file that other processes have open, or
  /// that is about to be rewritten. Returns the quarantine's path in the root.
  package func copy(_ name: String, in directory: Directory, mode: UInt32 = 0o666) throws -> String {
    let (place, free) = try self.place(for: name, in: directory)
    try place.writeStaged(free, try directory.contents(name) ?? [], mode: mode)
    return "\(Self.folder)/\(stamp)"
  }

  private func place(for name: String, in directory: Directory) throws -> (Directory, String) {
    let components = directory.path.dropFirst(root.path.count).split(separator: "/").map(String.init)
    let place = try root.makingDirectory(at: [Self.folder, stamp] + components)
    var free = name
    var number = 1
    while try place.exists(free) {
      number += 1
      free = "\(name).\(number)"
    }
    return (place, free)
  }
}
