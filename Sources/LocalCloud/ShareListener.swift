import LocalCloudEmulator
import LocalCloudModel

/// Receives the share links opened on a device until it is stopped or released. `LocalCloud.onShareAccepted` creates
/// it.
///
/// Threads: use it from any.
public final class ShareListener: Sendable {
  private let reader: LinkReader

  /// `acting` determines the device; `container` the container of the links, nil for all. Throws an error that prevents
  /// listening.
  package init(
    _ acting: ActingIdentity?, container: String?, failed: @escaping @Sendable (ServiceError) -> Void,
    _ handler: @escaping @Sendable (ShareMetadata, Session) async -> Void
  ) throws(ServiceError) {
    reader = LinkReader(acting, container: container, failed: failed, handler)
    try reader.start()
  }

  deinit { reader.loop.stop() }

  /// Stops listening: the handler is not called again. Waits until a call under way has returned and its share is
  /// recorded as delivered. If the program exits before, it gets the share again at the next start. Does not wait if
  /// called within the handler.
  public func stop() async {
    reader.loop.stop()
    await reader.loop.finish()
  }
}
