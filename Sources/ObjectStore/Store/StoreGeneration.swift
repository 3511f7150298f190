import LocalCloudStorage

/// The state of a store after one of its transactions. It stays readable while later transactions change the store.
///
/// Threads: safe to use from any. Releasing the last reference releases the state.
package final class StoreGeneration: Sendable {
  /// The number of the last transaction that the state includes.
  package let transaction: Int64
  fileprivate let pin: FolderPin
  /// The folder that the state belongs to. A store that was moved to another path has another folder.
  fileprivate let folder: JournaledFolder

  fileprivate init(_ pin: FolderPin, of folder: JournaledFolder) {
    transaction = pin.head
    self.pin = pin
    self.folder = folder
  }

  /// Thrown if the state can't be read any more, because the store has changed a lot since.
  package struct Lost: Error {
    package init() {}
  }
}

extension ObjectStore {
  /// Pins the present state, so that it stays readable. Nil if the store can't be written: then states can't be pinned.
  package func generation() throws(ObjectStoreError) -> StoreGeneration? {
    try translating { isReadOnly ? nil : try folder.pin(waitPolicy).map { StoreGeneration($0, of: folder) } }
  }

  /// Runs `body` with an earlier state, without a lock. Objects and links are those of that state. Histories and the
  /// bytes of external binaries are the present ones.
  ///
  /// - Throws: ``StoreGeneration/Lost`` if that state can't be read any more; ``ObjectStoreError``; the error of
  ///   `body`.
  package func read<Result>(at generation: StoreGeneration, _ body: (StoreView) throws -> Result) throws -> Result {
    guard generation.folder === folder else { throw StoreGeneration.Lost() }
    do { return try folder.read(at: generation.pin) { try body(StoreView(self, $0)) } } catch is FolderPin.Lost {
      throw StoreGeneration.Lost()
    } catch {
      throw ObjectStoreError.translated(error)
    }
  }
}
