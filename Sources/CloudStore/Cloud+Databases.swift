import LocalCloudPlatform
import LocalCloudStorage

extension Cloud {
  /// The paths of a container's databases. Open them one after another: there may be more than a process can have open.
  ///
  /// - Parameter passingOver: called with the error for each part that can't be read; without it, the error is thrown.
  /// - Returns: an empty list if the container does not exist.
  package func databases(
    of container: ExactName, passingOver: ((SystemError) throws -> Void)? = nil
  ) throws -> [DatabasePath] {
    guard let directory = try self.container(container, making: false) else { return [] }
    var result: [DatabasePath] = []
    for entry in try directory.entries()
    where entry.kind == .directory && entry.name != "shares" && !entry.name.hasPrefix(".") {
      func add(_ scope: [String]) {
        result.append(DatabasePath(container: container, environment: entry.name, scope: scope))
      }
      try Self.passing(passingOver) {
        let environment = try directory.directory(entry.name)
        if try environment.kind(of: "public") == .directory { add(["public"]) }
        for scope in ["private", "shared"] where try environment.kind(of: scope) == .directory {
          try Self.passing(passingOver) {
            for account in try environment.directory(scope).entries() where account.kind == .directory {
              if let name = FileName.decode(account.name) { add([scope, name]) }
            }
          }
        }
      }
    }
    return result
  }

  /// Like ``databases(of:passingOver:)``, but opens one database after the other and passes it to `body`.
  package func forEachDatabase(
    of container: ExactName, passingOver: ((SystemError) throws -> Void)? = nil, _ body: (DatabaseFolder) throws -> Void
  ) throws {
    for path in try databases(of: container, passingOver: passingOver) {
      var folder: DatabaseFolder?
      try Self.passing(passingOver) { folder = try database(path) }
      if let folder { try body(folder) }
    }
  }

  private static func passing(_ over: ((SystemError) throws -> Void)?, _ look: () throws -> Void) throws {
    do { try look() } catch let error as SystemError where error.leavesUnread {
      guard let over else { throw error }
      try over(error)
    }
  }
}

/// Finds the cloud around a path: another program's file inside a cloud would be damage.
extension Cloud {
  /// The root of the cloud that contains `folder` or is `folder`; nil if there is none. The folder may be missing.
  package static func root(around folder: String) throws(SystemError) -> String? {
    var path = try UserFile.resolvedFolder(folder)
    while true {
      if isRoot(path) { return path }
      if path == "/" { return nil }
      path = UserFile.folderAndName(of: path).folder
    }
  }

  /// Whether a folder is a cloud's root. True for a damaged cloud, too, but not for any folder that happens to have a
  /// file with the marker's name.
  private static func isRoot(_ path: String) -> Bool {
    let marker = path + "/" + markerName
    guard UserFile.exists(marker) else { return false }
    if parts.contains(where: { UserFile.isFolder(path + "/" + $0) }) { return true }
    return (try? JSONValue(parsing: UserFile.read(marker, limit: .marker)))?["formatVersion"] != nil
  }
}
