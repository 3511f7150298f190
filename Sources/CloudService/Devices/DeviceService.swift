import CloudModel
import CloudStore
import DeviceStore
import Platform
import Storage

/// Devices: who is signed in on them, what waits for them, operations that outlive their programs.
package struct DeviceService: ServiceSubject {
  let service: CloudService
}

/// Signing in and out.
extension DeviceService {
  /// Every device that was ever signed in, and each account's default one; by name.
  package func list() throws(ServiceError) -> [Device] {
    try perform(.administration, by: nil) { try DeviceRegister(cloud).devices() }
  }

  /// Nil for a device that was never signed in.
  package func device(_ name: String) throws(ServiceError) -> Device? {
    try perform(.administration, by: nil) { try DeviceRegister(cloud).device(name) }
  }

  /// Signs an account in on a device, which may be new; whoever was signed in there before is not any more.
  ///
  /// What the device keeps stays: links that wait there are for the device, and what is an account's own is under its
  /// name.
  package func signIn(_ account: String, on device: String) throws(ServiceError) -> Device {
    try perform(.administration, by: nil) {
      try NameRules.check(device: device)
      return try DeviceRegister(cloud).signIn(device, to: account, patience(nil))
    }
  }

  /// Signs out whoever is signed in on a device; fails with unknownItem for one that never was.
  package func signOut(_ device: String) throws(ServiceError) -> Device {
    try perform(.administration, by: nil) {
      try NameRules.check(device: device)
      return try DeviceRegister(cloud).signOut(device, patience(nil))
    }
  }

  /// Tidies up before an account goes: its devices' documents say that nobody is signed in, and nothing waits there.
  func signOutDevices(of account: String) throws {
    let own = FileName.encode(Account.defaultDevice(of: account))
    let register = DeviceRegister(cloud)
    // One that can't be read is nobody's.
    let devices = try cloud.folder(Inbox.devices).names(.directory).map { ($0, try? register.written($0)) }
      .filter { file, device in device?.account == account || file == own && device?.account == nil }
    if devices.isEmpty { return }
    try cloud.withFolder(Inbox.devices, patience(nil)) { folder in
      // Somebody else may have signed in meanwhile.
      for (file, device) in devices where (try? register.written(file)) == device {
        try emptyInbox(file, folder)
        try removeOperations(of: file, folder)
        for log in [PushLog.folder, SharingLog.folder] { try removeLog(log, of: file, folder) }
        if try folder.directory.directory(file).exists(Keychain.file) { try folder.remove(file, Keychain.file) }
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

  /// With how far programs have read it.
  private func removeLog(_ name: String, of device: String, _ folder: DocumentFolder) throws {
    guard let place = try folder.directory.directory(device).directoryIfPresent(name) else { return }
    for entry in try place.entries() where entry.kind == .file && !entry.name.hasPrefix(".") {
      try folder.remove(device, name, entry.name)
    }
  }

  private func removeOperations(of device: String, _ folder: DocumentFolder) throws {
    guard let place = try folder.directory.directory(device).directoryIfPresent(LongLivedOperationStore.folder) else {
      return
    }
    let names = try place.entries().filter { $0.kind == .file && LongLivedOperationStore.parse($0.name) != nil }.map(
      \.name)
    // Without its first file an operation is none.
    for name in names.sorted(by: { $0.utf8.count < $1.utf8.count }) {
      try folder.remove(device, LongLivedOperationStore.folder, name)
    }
  }
}

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
