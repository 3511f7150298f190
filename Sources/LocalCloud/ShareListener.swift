import CloudModel
import Emulator

/// Somebody who is told of share links that are opened on a device, until this is stopped or nothing refers to it
/// any more. Made by `LocalCloud.onShareAccepted`.
///
/// Threads: use it from any.
public final class ShareListener: Sendable {
  private let reader: LinkReader

  /// `acting`: whose device; `container`: whose links, nil for those of all. Throws what keeps it from listening at all.
  package init(
    _ acting: ActingIdentity?, container: String?, failed: @escaping @Sendable (ServiceError) -> Void,
    _ handler: @escaping @Sendable (ShareMetadata, Session) async -> Void
  ) throws(ServiceError) {
    reader = LinkReader(acting, container: container, failed: failed, handler)
    try reader.start()
  }

  deinit { reader.loop.stop() }

  /// Ends it: the handler is not called again. Waits for a call under way, and until its share counts as taken; whoever
  /// exits before gets it again at the next start. Within the handler it does not wait.
  public func stop() async {
    reader.loop.stop()
    await reader.loop.finish()
  }
}
