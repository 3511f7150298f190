import LocalCloudStorage

/// The state of a store after one of its transactions, which stays readable while the store goes on.
///
/// Threads: safe to use from any. The state is given up with the last reference.
package final class StoreGeneration: Sendable {
  /// The number of the last transaction that the state includes.
  package let transaction: Int64
  fileprivate let pin: FolderPin
  /// The folder that the state is of. A store that is gone on with at another place has another one.
  fileprivate let folder: JournaledFolder

  fileprivate init(_ pin: FolderPin, of folder: JournaledFolder) {
    transaction = pin.head
    self.pin = pin
    self.folder = folder
  }

  /// Thrown if the state can be read no more, because the store has changed a lot since.
  package struct Lost: Error {
    package init() {}
  }
}

extension ObjectStore {
  /// Keeps the present state readable. Nil if the store may not be written to: its states can't be kept.
  package func generation() throws(ObjectStoreError) -> StoreGeneration? {
    try translating { isReadOnly ? nil : try folder.pin(waitPolicy).map { StoreGeneration($0, of: folder) } }
  }

  /// Runs `body` with an earlier state, without a lock. Objects and links are those of that state. Histories and the
  /// bytes of external binaries are those of now.
  ///
  /// Throws ``StoreGeneration/Lost`` if that state can be read no more.
  package func read<Result>(at generation: StoreGeneration, _ body: (StoreView) throws -> Result) throws -> Result {
    guard generation.folder === folder else { throw StoreGeneration.Lost() }
    do { return try folder.read(at: generation.pin) { try body(StoreView(self, $0)) } } catch is FolderPin.Lost {
      throw StoreGeneration.Lost()
    } catch {
      throw ObjectStoreError.translated(error)
    }
  }
}
