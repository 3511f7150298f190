import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// The acting account and its device.
///
/// The environment, an option or a scope chooses a device: by its name, or by an account, and then it is the account's
/// default device. The cloud stores the account that is signed in on a device. If an account and a device are named
/// together for the first time, the account is signed in on the device, until `localcloud device` changes that.
extension Settings {
  /// The device that was chosen; nil if neither a device nor an account was named.
  package var deviceName: String? { device.value ?? account.value.map(Account.defaultDevice(of:)) }

  /// Looks up the account that is signed in on the chosen device. Signs in to the named account on a new device.
  ///
  /// - Returns: whether the device is new.
  mutating func resolveAccount(_ role: SessionRole, in cloud: Cloud) throws(ServiceError) -> Bool {
    if role == .administrator {
      account = Value(value: nil, source: .standard)
      device = Value(value: nil, source: .standard)
      return false
    }
    guard let name = deviceName else { return false }
    do {
      if device.value != nil { try NameRules.check(chosenDevice: name) }
      let register = DeviceRegister(cloud)
      let present = try register.device(name)
      guard let wanted = account.value else {
        if account.source == .standard { account = Value(value: present?.account, source: .device) }
        return false
      }
      let beginning = Beginning(root: root.value, cloud: cloud, device: name, account: wanted)
      if let present {
        try adopt(present, beginning, role, on: name)
      } else if try !register.hasAccount(wanted) {
        // An account that does not exist can't sign in; the request itself reports that. An account that was removed
        // since is signed out.
        if role != .command, beginning.isMade { account = Value(value: nil, source: .device) }
      } else if role != .onlooker {
        let waitPolicy = LockWaitPolicy(seconds: lockTimeout.value, account: wanted)
        try adopt(register.signIn(name, to: wanted, onlyIfNew: true, waitPolicy), beginning, role, on: name)
        return true
      }
      return false
    } catch {
      throw ServiceError(describing: error)
    }
  }

  /// Changes the account setting to the account that is signed in on the device, if the named account allows it.
  private mutating func adopt(_ present: Device, _ beginning: Beginning, _ role: SessionRole, on name: String) throws {
    if let other = present.account, other != account.value, role == .command || !beginning.isMade {
      throw ServiceError(
        .serverRejectedRequest,
        "The device \(name) is signed in to the account \(other), not \(account.value ?? "").",
        cause: .unknownDevice,
        hint:
          "Choose another LOCALCLOUD_DEVICE, or leave it out. LOCALCLOUD_DEVICE=\(name) alone is whoever is signed in "
          + "there; `localcloud device sign-in \(name) \(account.value ?? "")` switches it.")
    }
    if role != .command { beginning.make() }
    if present.account == account.value { return }
    account = Value(value: present.account, source: .device)
    device.value = name
  }
}

/// Records that a program has begun to act on a device, as an account: from then on the device determines the account.
private struct Beginning: Hashable {
  private static let all = Mutex(Set<Beginning>())

  private let root: String
  /// Identifies the cloud: another one may be at the same root later.
  private let cloud: JSONValue?
  private let device: String
  private let account: String

  init(root: String, cloud: Cloud, device: String, account: String) {
    self.root = root
    self.cloud = cloud.properties["history"]
    self.device = device
    self.account = account
  }

  var isMade: Bool { Self.all.withLock { $0.contains(self) } }

  func make() { Self.all.withLock { _ = $0.insert(self) } }
}
