import LocalCloudDeviceStore
import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// The register of devices and the accounts that are signed in on them.
///
/// An account's default device has no document until it is signed out or another account signs in on it; any other
/// device has one from its first sign-in on.
package struct DeviceRegister {
  let cloud: Cloud

  package init(_ cloud: Cloud) { self.cloud = cloud }

  /// The device of this name; nil if no account was ever signed in on it.
  package func device(_ name: String) throws -> Device? {
    if let device = try written(FileName.encode(name)) { return try present(device) }
    return try owner(ofDefaultDevice: name).map { Device(name: name, account: $0) }
  }

  /// All devices, by name.
  func devices() throws -> [Device] {
    let accounts = try cloud.folder(Account.folder)
    let owners = try accounts.names(.file).compactMap { file in
      file.hasSuffix(".json") ? try accounts.read(file)?["name"]?.string : nil
    }
    var devices = Dictionary(
      owners.map { (Account.defaultDevice(of: $0), Device(name: Account.defaultDevice(of: $0), account: $0)) },
      uniquingKeysWith: { first, _ in first })
    for file in try cloud.folder(Inbox.devices).names(.directory) {
      if let device = try written(file) { devices[device.name] = try present(device) }
    }
    return devices.values.sorted { ExactName($0.name) < ExactName($1.name) }
  }

  /// The device in the document of a folder; nil if there is none.
  func written(_ file: String) throws -> Device? {
    let folder = try cloud.folder(Inbox.devices)
    guard let object = try folder.read(file, Device.file) else { return nil }
    guard let device = Device(object), FileName.encode(device.name) == file else {
      throw StorageError.damaged(path: folder.directory.path(of: "\(file)/\(Device.file)"), reason: "not a device")
    }
    return device
  }

  /// The device's effective state: signed out if its account was removed.
  private func present(_ device: Device) throws -> Device {
    if let account = device.account, try !hasAccount(account) { return Device(name: device.name) }
    return device
  }

  /// The account of a default device, also without a sign-in; nil if the device is no default device.
  private func owner(ofDefaultDevice device: String) throws -> String? {
    let suffix = Account.defaultDevice(of: "")
    guard device.hasSuffix(suffix) else { return nil }
    let owner = String(device.dropLast(suffix.count))
    return try hasAccount(owner) ? owner : nil
  }

  package func hasAccount(_ name: String) throws -> Bool {
    try cloud.folder(Account.folder).directory.exists(Account.file(of: name))
  }

  // MARK: Changes

  /// Signs a device in to an existing account. Returns the device after that. `onlyIfNew`: a device that was signed in
  /// or out before does not change.
  package func signIn(_ name: String, to account: String, onlyIfNew: Bool = false, _ waitPolicy: LockWaitPolicy) throws
    -> Device
  {
    // The lock prevents another process from removing the account before the end of the sign-in.
    try cloud.withFolder(Account.folder, waitPolicy) { accounts in
      guard try accounts.read(Account.file(of: account)) != nil else { throw ServiceError.unknownAccount(account) }
      return try cloud.withFolder(Inbox.devices, waitPolicy) { folder in
        let present = try device(name)
        if let present, onlyIfNew || present.account == account { return present }
        let device = Device(name: name, account: account)
        try write(device, in: folder)
        return device
      }
    }
  }

  /// Removes the document that a removed account of this name left for its default device.
  func forgetDefaultDevice(of account: String, _ waitPolicy: LockWaitPolicy) throws {
    let file = FileName.encode(Account.defaultDevice(of: account))
    guard let left = try written(file), try present(left).account == nil else { return }
    try cloud.withFolder(Inbox.devices, waitPolicy) { try $0.remove(file, Device.file) }
  }

  /// Signs the device out, and removes its long-lived operations. Pushes and messages on the device stay.
  func signOut(_ name: String, _ waitPolicy: LockWaitPolicy) throws -> Device {
    try cloud.withFolder(Inbox.devices, waitPolicy) { folder in
      guard let present = try device(name) else { throw ServiceError.unknownDevice(name) }
      if present.account == nil { return present }
      let device = Device(name: name)
      try write(device, in: folder)
      return device
    }
  }

  /// Writes the device's document, and removes the long-lived operations of all accounts but the one that the document
  /// signs in ([operation-8]). The operations are removed first: after an interruption, no data of one account is
  /// accessible to the next one.
  private func write(_ device: Device, in folder: DocumentFolder) throws {
    let file = FileName.encode(device.name)
    var isBegun = false
    do {
      try LongLivedOperationStore.removeAll(of: file, in: folder) { request, _ in
        if let account = device.account, request.flatMap(StoredOperation.init)?.account == account { return false }
        isBegun = true
        return true
      }
      try folder.write(device.object, file, Device.file)
    } catch  where isBegun {
      throw ServiceError.halfDone(
        "The sign-in or sign-out on \(device.name) is done only in part", error, hint: "Sign in or out again")
    }
  }
}

extension ServiceError {
  static func unknownDevice(_ name: String) -> ServiceError {
    ServiceError(
      .unknownItem, "There is no device \(name) in this cloud.",
      hint: "`localcloud device list` shows those there are; `localcloud device sign-in \(name) ACCOUNT` adds it.")
  }
}
