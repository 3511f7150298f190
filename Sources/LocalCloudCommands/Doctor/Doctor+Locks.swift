import LocalCloudPlatform

/// Tries whether the file system can do what a cloud needs: exclusive locks, and renames that replace a file.
extension Doctor {
  /// The beginning of the names of probe files, in the cloud's root. Names that begin with a dot are no part of the
  /// cloud ([file-8]).
  static let probe = ".doctor-"

  func examineLocks(_ folder: Directory) throws -> [Diagnosis] {
    let (first, second) = ("\(Self.probe)\(HostProcess.identifier)-1", "\(Self.probe)\(HostProcess.identifier)-2")
    do {
      defer {
        _ = try? folder.remove(first)
        _ = try? folder.remove(second)
      }
      try folder.writeStaged(first, [1])
      try folder.writeStaged(second, [2])
      let (holder, other) = (try folder.file(first), try folder.file(first))
      guard try holder.tryLock(.exclusive), try !other.tryLock(.exclusive) else {
        return [
          Diagnosis(
            "locks", .problem, "the file system does not lock files: two processes could write at once",
            advice: "put the cloud on a local file system")
        ]
      }
      holder.unlock()
      let identity = try folder.identity(of: first)
      try folder.rename(first, to: folder, as: second)
      guard try folder.identity(of: second) == identity, try folder.contents(second) == [1],
        try !folder.exists(first)
      else {
        return [
          Diagnosis(
            "locks", .problem, "a rename does not replace a file: half a change could be seen",
            advice: "put the cloud on a local file system")
        ]
      }
      return [Diagnosis("locks", .ok, "the file system locks and renames files")]
    } catch {
      return [
        Diagnosis(
          "locks", .problem, "no file can be written, locked and renamed in \(root): \(error.reason)",
          advice: error.isDenied
            ? "get the permission to write to the folder" : "put the cloud on a local file system with free space")
      ]
    }
  }
}
