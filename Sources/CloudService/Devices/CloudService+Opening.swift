import CloudStore
import Platform

/// Links that are opened on a device.
extension CloudService {
  /// What tapping a share's link does: finds out what it leads to for the caller, and leaves a message for the program of
  /// that container in the device's inbox. Fails as ``shareMetadata(_:by:)`` does, and leaves no message then.
  package func open(url: String, by caller: Caller) throws(ServiceError) -> ShareMetadata {
    let metadata = try shareMetadata(ShareMetadataRequest(url: url), by: caller)
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
    guard let name = caller.account else { throw Self.signedOut }
    return Inbox(of: caller.device(of: try requireAccount(name)), in: cloud)
  }

  /// Signs an account's devices out and empties their inboxes, for an account that goes.
  func signOutDevices(of account: String) throws {
    let folder = try cloud.folder(Inbox.devices)
    let files = try folder.names(.directory).filter { file in
      file == FileName.encode(Account.defaultDevice(of: account)) || isSignedIn(file, account, folder)
    }
    if files.isEmpty { return }
    try cloud.withFolder(Inbox.devices, patience(nil)) { folder in
      for file in files {
        if let inbox = try folder.directory.directory(file).directoryIfPresent(Inbox.folder) {
          for entry in try inbox.entries() where MessageName(entry.name) != nil && entry.kind == .file {
            try folder.remove(file, Inbox.folder, entry.name)
          }
        }
        if isSignedIn(file, account, folder) { try folder.remove(file, "device.json") }
      }
    }
  }

  /// One that can't be read is nobody's.
  private func isSignedIn(_ device: String, _ account: String, _ folder: DocumentFolder) -> Bool {
    (try? folder.read(device, "device.json"))??["account"]?.string == account
  }
}
