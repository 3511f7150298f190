import Platform

/// Where repair puts what it can't explain: `aside/<time>/` in the root, each file under the path it had.
package struct Quarantine {
  package static let folder = "aside"
  private let root: Directory
  private let stamp: String

  package init(_ root: Directory, at milliseconds: Int64) {
    self.root = root
    stamp = Timestamp.text(milliseconds: milliseconds).replacing(":", with: "")
  }

  /// Takes a file or folder away; answers the folder in the root under whose like path it is now.
  package func move(_ name: String, in directory: Directory) throws -> String {
    let (place, free) = try self.place(for: name, in: directory)
    try directory.rename(name, to: place, as: free)
    return "\(Self.folder)/\(stamp)"
  }

  /// Leaves the file where it is, for what is open in other processes, or about to be written anew.
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
