import CloudStore
import Platform

/// Links that are opened on a device.
extension DeviceService {
  /// What tapping a share's link does: finds out what it leads to for the caller, and leaves a message for the program of
  /// that container in the device's inbox. Fails as ``shareMetadata(_:by:)`` does, and leaves no message then.
  package func open(url: String, by caller: Caller) throws(ServiceError) -> ShareMetadata {
    let metadata = try service.sharing.shareMetadata(ShareMetadataRequest(url: url), by: caller)
    try perform(.openLink, by: caller) {
      let link = OpenedLink(
        url: metadata.link ?? metadata.url, container: metadata.container, environment: metadata.environment,
        sent: settings.clock())
      try inbox(of: caller).deliver(link.object, kind: OpenedLink.kind, patience(caller))
    }
    return metadata
  }

  /// What waits for the programs of the caller's device.
  package func inbox(of caller: Caller) throws -> Inbox {
    guard let name = caller.account else { throw AccountService.signedOut(caller) }
    return Inbox(of: caller.device(of: try service.accounts.requireAccount(name)), in: cloud)
  }
}
