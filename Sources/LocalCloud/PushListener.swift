import CloudModel
import CloudService
import Emulator
import Storage

/// Somebody who is handed the pushes that come to a device, until this is stopped or nothing refers to it any more. Made
/// by `LocalCloud.onPush`.
///
/// Threads: use it from any.
public final class PushListener: Sendable {
  private let reader: PushReader
  private let number: Int

  /// `acting`: whose device, and which container. Throws what keeps it from listening at all.
  package init(
    _ acting: ActingIdentity?, failed: @escaping @Sendable (ServiceError) -> Void,
    _ handler: @escaping @Sendable (JSONObject) async -> Void
  ) throws(ServiceError) {
    do {
      (reader, number) = try PushReader.join(
        PushListeners.Listener(acting: acting, failed: failed, handler: handler))
    } catch {
      throw ServiceError(describing: error)
    }
  }

  deinit { reader.leave(number) }

  /// Ends it: the handler is not called again. Waits for a call under way, and until its push counts as taken; whoever
  /// exits before gets it again at the next start. Within the handler it does not wait.
  public func stop() async {
    reader.leave(number)
    await reader.finish()
  }
}
