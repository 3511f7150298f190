import LocalCloudPlatform

/// Finds the folders that a process watches to notice the commits of others.
extension Cloud {
  /// The folders at these paths, and the entries of their parents up to the root. A folder that is missing is an entry
  /// of its nearest parent when it is made.
  ///
  /// Parents are watched for their entries only, because processes write to files in them at any time, as to
  /// `requests.jsonl` in the root. A process must watch all of them: the system does not report the removal of a folder
  /// that the process itself has open, nor of the folders above it, but it reports the removed entry of the parent. The
  /// moved root is reported as itself.
  ///
  /// - Parameter paths: the encoded names of the folders below the root.
  package func watchedFolders(at paths: [[String]]) throws -> WatchedFolders {
    var parents: [[String]: Directory] = [[]: root]
    var folders: [[String]: Directory] = [:]
    for path in paths where folders[path] == nil {
      var current = root
      for count in 1...path.count {
        let prefix = Array(path[..<count])
        guard let next = try parents[prefix] ?? current.directoryIfPresent(path[count - 1]) else { break }
        if count < path.count { parents[prefix] = next } else { folders[path] = next }
        current = next
      }
    }
    return WatchedFolders(Array(folders.values), entriesOf: Array(parents.values))
  }
}
