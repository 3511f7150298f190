import Platform
import Storage

/// Makes a new store beside its place, under a hidden name, and then gives it its name: no process sees half of one.
///
/// The lock file in it keeps other processes away meanwhile. What a killed process left is gone on with.
struct StoreMaking {
  private let parent: Directory
  private let name: String
  private let waitPolicy: LockWaitPolicy

  private var hiddenName: String { ".\(name).making" }

  init(_ parent: Directory, _ name: String, _ waitPolicy: LockWaitPolicy) {
    self.parent = parent
    self.name = name
    self.waitPolicy = waitPolicy
  }

  /// Makes the store, unless another process has done so.
  func make(_ description: StoreDescription) throws {
    try parent.makeDirectory(hiddenName)
    guard let folder = try parent.directoryIfPresent(hiddenName) else { return }
    let lock = try folder.createFile(JournaledFolder.lockName)
    let wait = LockWait(waitPolicy)
    while !(try lock.tryLock(.exclusive)) {
      guard wait.remaining > 0 else {
        throw StorageError.busy(path: lock.path, holder: nil, waited: waitPolicy.seconds)
      }
      pause(microseconds: 1_000)
    }
    defer { lock.unlock() }
    // It has its name by now, if another process was faster; then all begins anew.
    guard try parent.identity(of: hiddenName) == folder.identity() else { return }
    if try parent.kind(of: name) != nil, try !isEmptyFolder() { return try parent.removeTree(hiddenName) }
    try fill(folder, description)
    try parent.rename(hiddenName, to: parent, as: name)
    try parent.sync()
  }

  private func isEmptyFolder() throws -> Bool {
    guard try parent.kind(of: name) == .directory else { return false }
    return try parent.directoryIfPresent(name)?.entries().isEmpty ?? false
  }

  private func fill(_ folder: Directory, _ description: StoreDescription) throws {
    try JournaledFolder.make(
      in: folder, client: StoreFolder.format, owner: description.indexOwner(for: description.schema), sequence: 0)
    let journal = try folder.directory(JournaledFolder.journalFolder)
    for file in [StoreFolder.rootLock, StoreFolder.rootGate] { _ = try journal.createFile(file) }
    try journal.makeDirectory(StoreFolder.incoming)
    for kind in StoreTable.Kind.allCases { try folder.makeDirectory(kind.folder) }
    try folder.makeDirectory(StoreFolder.binaries)
    try folder.writeStaged(StoreFolder.history.name, [])
    try folder.writeStaged(StoreDescription.fileName, description.bytes)
    try folder.file(StoreDescription.fileName, .readWrite).syncFileSystem()
  }
}
