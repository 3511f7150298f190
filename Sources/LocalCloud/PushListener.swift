import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

/// Receives the pushes of a device until it is stopped or released. `LocalCloud.onPush` creates it.
///
/// Threads: use it from any.
public final class PushListener: Sendable {
  private let reader: PushReader
  private let number: Int

  /// `acting` determines the device and the container. Throws an error that prevents listening.
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

  /// Stops listening: the handler is not called again. Waits until a call under way has returned and its push is
  /// recorded as delivered. If the program exits before, it gets the push again at the next start. Does not wait if
  /// called within the handler.
  public func stop() async {
    reader.leave(number)
    await reader.finish()
  }
}
