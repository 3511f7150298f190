import Foundation
import LocalCloudCloudKitImport
import LocalCloudCoreDataMirroring
import LocalCloudObjectStore

extension NSPersistentCloudKitContainer {
  typealias ShareResult = (Set<NSManagedObjectID>, CKShare, CKContainer)

  /// See `share(_:to:completion:)`.
  func share(ids: [NSManagedObjectID], to share: CKShare?) async throws -> ShareResult {
    guard let store = ids.first?.persistentStore, ids.allSatisfy({ $0.persistentStore === store }) else {
      throw MirroringError.refused(
        ids.isEmpty
          ? "There are no objects to share."
          : "Only objects that were saved can be shared, and only those of one store together.")
    }
    let (shared, result, container) = try await requiredEngine(of: store).share(ids.compactMap(store.rowID), to: share)
    return (Set(shared.map(store.objectID)), result, container)
  }

  /// See ``fetchShares(matching:)``.
  func shares(matching objectIDs: [NSManagedObjectID]) throws -> [NSManagedObjectID: CKShare] {
    var result: [NSManagedObjectID: CKShare] = [:]
    for (store, engine) in engines {
      let rows = objectIDs.compactMap { id in store.rowID(id).map { (id, $0) } }
      guard !rows.isEmpty else { continue }
      let shares = try engine.shares(matching: rows.map(\.1))
      for (id, row) in rows { result[id] = shares[row] }
    }
    return result
  }

  /// The mirrored stores of all databases but the public one.
  var storesWithZones: [NSPersistentStore] { engines.filter { $0.engine.scope != .public }.map(\.store) }

  // MARK: The two forms of a function

  /// Calls a completion handler with a result.
  func finish<Value>(
    _ completion: ((Value?, (any Error)?) -> Void)?, _ body: @escaping () async throws -> Value
  ) {
    let (completion, body) = (UncheckedSendable(completion), UncheckedSendable(body))
    Task {
      do {
        let value = try await body.value()
        completion.value?(value, nil)
      } catch {
        completion.value?(nil, error)
      }
    }
  }

  /// The result that a function passes to its completion handler. The asynchronous form of a function calls the form
  /// with a handler, so a subclass has to override only the latter.
  func answer<Value>(_ start: (@escaping (Value?, (any Error)?) -> Void) -> Void) async throws -> Value {
    try await BlockResult.awaited { resume in
      start { value, error in resume(value.map { .success($0) } ?? .failure(error ?? Self.noAnswer)) }
    }
  }

  private static var noAnswer: NSError {
    MirroringError.refused("An override called its completion handler with neither a result nor an error.")
  }
}
