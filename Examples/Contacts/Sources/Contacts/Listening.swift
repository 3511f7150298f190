import CloudKit
import LocalCloud

/// The part of an app that the system calls when somebody taps a share's link, `userDidAcceptCloudKitShareWith`. Here
/// `localcloud open` is the tapping, and `LocalCloud` the system.
extension ContactStore {
  /// Joins shares as they are opened on this device, those first that were opened before; ends after so many.
  func joinOpenedShares(_ count: Int, _ joined: @escaping @Sendable (Result<CKShare, any Error>) -> Void) async throws {
    let (news, arrived) = AsyncStream<Void>.makeStream()
    let failed: @Sendable (any Error) -> Void = { joined(.failure($0)) }
    let listener = try LocalCloud.onShareAccepted(in: container, failed: failed) { metadata in
      do { joined(.success(try await container.accept(metadata))) } catch { failed(error) }
      arrived.yield()
    }
    var iterator = news.makeAsyncIterator()
    for _ in 0..<count { await iterator.next() }
    await listener.stop()
  }
}
