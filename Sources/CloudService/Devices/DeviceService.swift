import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudPlatform
import LocalCloudStorage
import LocalCloudStore

/// Devices: sign-in, messages that wait for their programs, and operations that outlive their processes.
package struct DeviceService: ServiceSubject {
  let service: CloudService
}

/// Signing in and out.
extension DeviceService {
  /// Returns every device with a present or earlier sign-in, and each account's default device; by name.
  package func list() throws(ServiceError) -> [Device] {
    try perform(.administration, by: nil) { try DeviceRegister(cloud).devices() }
  }

  /// Returns the device; nil if no account was ever signed in on it.
  package func device(_ name: String) throws(ServiceError) -> Device? {
    try perform(.administration, by: nil) { try DeviceRegister(cloud).device(name) }
  }

  /// The folder of a device in the tree. An account's default device has none before something is stored on it.
  package func path(of device: String) -> String {
    cloud.root.path(of: "\(Inbox.devices)/\(FileName.encode(device))")
  }

  /// Signs an account in on a device, existing or new. It replaces the account that was signed in there before.
  ///
  /// Long-lived operations of the replaced account are removed ([account-change-2]). Other data on the device stays:
  /// waiting links are for the device, and other data of an account is stored under its name.
  ///
  /// - Returns: the device after the sign-in.
  /// - Throws: `invalidArguments` for an invalid device name; `notAuthenticated` if the cloud has no account of this
  ///   name; `serverResponseLost` if the change was interrupted.
  package func signIn(_ account: String, on device: String) throws(ServiceError) -> Device {
    try perform(.administration, by: nil) {
      try NameRules.check(device: device)
      return try DeviceRegister(cloud).signIn(device, to: account, waitPolicy(nil))
    }
  }

  /// Signs a device out. Its long-lived operations are removed. Throws `unknownItem` if no account was ever signed in
  /// on it.
  package func signOut(_ device: String) throws(ServiceError) -> Device {
    try perform(.administration, by: nil) {
      try NameRules.check(device: device)
      return try DeviceRegister(cloud).signOut(device, waitPolicy(nil))
    }
  }

  /// Signs an account's devices out before the account is removed, and removes its waiting messages, logs and keychains
  /// there.
  func signOutDevices(of account: String) throws {
    let own = FileName.encode(Account.defaultDevice(of: account))
    let register = DeviceRegister(cloud)
    // An unreadable device belongs to no account.
    let devices = try cloud.folder(Inbox.devices).names(.directory).map { ($0, try? register.written($0)) }
      .filter { file, device in device?.account == account || file == own && device?.account == nil }
    if devices.isEmpty { return }
    try cloud.withFolder(Inbox.devices, waitPolicy(nil)) { folder in
      // Another account may have signed in since the devices were read.
      for (file, device) in devices where (try? register.written(file)) == device {
        try emptyInbox(file, folder)
        try LongLivedOperationStore.removeAll(of: file, in: folder)
        for log in [PushLog.folder, SharingLog.folder] { try removeLog(log, of: file, folder) }
        for document in [Keychain.file, NetworkCondition.file, HeldPushes.file]
        where try folder.directory.directory(file).exists(document) {
          try folder.remove(file, document)
        }
        if let device, device.account != nil { try folder.write(Device(name: device.name).object, file, Device.file) }
      }
    }
  }

  private func emptyInbox(_ device: String, _ folder: DocumentFolder) throws {
    guard let inbox = try folder.directory.directory(device).directoryIfPresent(Inbox.folder) else { return }
    for entry in try inbox.entries() where MessageName(entry.name) != nil && entry.kind == .file {
      try folder.remove(device, Inbox.folder, entry.name)
    }
  }

  /// Removes a log of a device, with the cursors of the programs that read it.
  private func removeLog(_ name: String, of device: String, _ folder: DocumentFolder) throws {
    guard let logFolder = try folder.directory.directory(device).directoryIfPresent(name) else { return }
    for entry in try logFolder.entries() where entry.kind == .file && !entry.name.hasPrefix(".") {
      try folder.remove(device, name, entry.name)
    }
  }
}

/// Opening links on a device.
extension DeviceService {
  /// Opens a share's link, as tapping it does: gets its metadata for the caller, and leaves a message for the program
  /// of that container in the device's inbox.
  ///
  /// - Throws: the errors of ``SharingService/shareMetadata(_:by:)``; then there is no message.
  package func open(url: String, by caller: Caller) throws(ServiceError) -> ShareMetadata {
    try perform(.openLink, by: caller) {
      let metadata = try service.sharing.metadata(ShareMetadataRequest(url: url), caller)
      let link = OpenedLink(
        url: metadata.link ?? metadata.url, container: metadata.container, environment: metadata.environment,
        sent: try settings.clock())
      try inbox(of: caller).deliver(link.object, kind: OpenedLink.kind, waitPolicy(caller))
      return metadata
    }
  }

  /// The inbox of the caller's device, with the messages for its programs.
  ///
  /// - Throws: `notAuthenticated` without an account.
  package func inbox(of caller: Caller) throws -> Inbox {
    guard let name = caller.account else { throw AccountService.signedOut(caller) }
    return Inbox(of: caller.device(of: try service.accounts.requireAccount(name)), in: cloud)
  }
}
