import Platform

/// A file of the user's that is written as a whole or not at all, in the place of what has the name.
final class TransferFile {
  private let folder: Directory
  private let name: String
  private let temporary: String
  private let file: File
  private var offset = 0
  private var isDone = false

  /// A folder that is missing is made.
  init(_ name: String, inFolder path: String) throws(SystemError) {
    try Directory.make(path: path, in: FileSystem())
    folder = try Directory.open(path: path, in: FileSystem())
    self.name = name
    temporary = ".\(name.utf8.count < 200 ? name : "file").\(HostProcess.identifier)"
    file = try folder.createFile(temporary)
    try file.truncate(to: 0)
  }

  convenience init(path: String) throws(SystemError) {
    try self.init(String(path.split(separator: "/").last ?? ""), inFolder: Self.folder(of: path))
  }

  deinit {
    if !isDone { _ = try? folder.remove(temporary) }
  }

  func write(_ bytes: [UInt8]) throws(SystemError) {
    try file.write(bytes, at: offset)
    offset += bytes.count
  }

  /// Gives it its name; answers where it is.
  @discardableResult
  func finish(durably: Bool = false) throws(SystemError) -> String {
    if durably { try file.sync() }
    try folder.rename(temporary, to: folder, as: name)
    isDone = true
    return folder.path == "." ? name : folder.path(of: name)
  }

  /// `.` for a name alone.
  static func folder(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.utf8.startIndex ? "/" : String(path[..<slash])
  }
}
