import LocalCloudPlatform
import LocalCloudStorage

/// The steps of a repair before the store can be opened.
extension StoreOpener {
  /// The problem of `store.json`; nil if it is sound.
  func documentProblem() throws -> Problem? {
    do {
      _ = try storedDescription()
      return nil
    } catch {
      guard case .notAStore = error, let directory = try presentStore() else { throw error }
      let name = StoreDescription.fileName
      let reason = try directory.kind(of: name) == nil ? "it is missing" : "it is no description of a store"
      return Problem(
        path: directory.path(of: name),
        text:
          "\(reason), and can't be made anew: it holds the model of what is stored. Put a copy of the file there, or "
          + "remove the store with \"store destroy --force\"")
    }
  }

  /// The folder at the path, if the rest of a store is in it; otherwise nil.
  private func presentStore() throws -> Directory? {
    guard let directory = try directoryIfPresent() else { return nil }
    if try directory.kind(of: JournaledFolder.journalFolder) == .directory { return directory }
    let isCopy =
      try directory.kind(of: StoreTable.Kind.objects.folder) == .directory
      && directory.kind(of: StoreFolder.history.name) == .file
    return isCopy ? directory : nil
  }

  /// Makes the folders and files that a store needs to be opened and locked. Entries of another kind under their names
  /// are moved aside.
  ///
  /// A folder without its lock files can't be locked. So this runs with the lock of ``StoreBuilder``: of several
  /// repairs one moves an entry, and the others find the new one.
  ///
  /// - Returns: the entries that were moved.
  func furnish(at milliseconds: Int64) throws -> [Problem] {
    guard let directory = try directoryIfPresent(), try !StoreShape.isFurnished(directory) else { return [] }
    var done: [Problem] = []
    try builder(in: namedParent()).alone {
      guard let directory = try directoryIfPresent() else { return }
      let aside = Quarantine(directory, at: milliseconds)
      done = try StoreShape.misfits(in: directory).map { try aside.move($0) }
      try JournaledFolder.restore(in: directory)
      try StoreBuilder.furnishJournal(of: directory)
    }
    return done
  }
}
