import LocalCloudModel
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore
import Synchronization

/// Ids for reproducible runs: derived from the seed, the account, the device and a counter that is stored in the
/// device's folder. Two processes never draw the same one, and the same script gives the same ids.
final class SeededIdentifiers: Sendable {
  let seed: String
  let account: String
  let device: String
  let cloud: Cloud
  private let notice: @Sendable (String) -> Void
  private let isNoticed = Mutex(false)

  /// `notice`: called once if the counter can't be stored, with a line for the user.
  init(
    seed: String, account: String, device: String?, cloud: Cloud,
    notice: @escaping @Sendable (String) -> Void = { StandardStream.error.write($0 + "\n") }
  ) {
    self.notice = notice
    self.seed = seed
    self.account = account
    self.device = device ?? (account.isEmpty ? "nobody" : Account.defaultDevice(of: account))
    self.cloud = cloud
  }

  @Sendable func bytes(_ count: Int) -> [UInt8] {
    do { return Self.bytes(count, seed: seed, account: account, device: device, counter: try nextCounter()) } catch {
      // An id drawn twice would be worse than one that is not derived from the seed.
      let isFirst = isNoticed.withLock { isNoticed in
        defer { isNoticed = true }
        return !isNoticed
      }
      if isFirst { notice("LOCALCLOUD_SEED: ids are random from here on, as their counter can't be kept: \(error)") }
      return HostProcess.randomBytes(count)
    }
  }

  /// The bytes for a counter's value. No caller draws 0: it is for identifiers that are created before the cloud
  /// exists.
  static func bytes(_ count: Int, seed: String, account: String, device: String, counter: Int64) -> [UInt8] {
    var result: [UInt8] = []
    var block = 0
    while result.count < count {
      let text = Array("\(seed)\u{0}\(account)\u{0}\(device)\u{0}\(counter)\u{0}\(block)".utf8)
      withUnsafeBytes(of: Digest.hash64(text, seed: 0x4C43).bigEndian) { result += $0 }
      block += 1
    }
    return Array(result.prefix(count))
  }

  /// The bytes for the histories of a copied cloud. They depend on the clock, since a copy that is restored twice must
  /// get two histories.
  static func bytes(_ count: Int, seed: String, clock: Int64, copyOf history: String) -> [UInt8] {
    bytes(count, seed: seed, account: "", device: "copy of \(history) at \(clock)", counter: 0)
  }

  private func nextCounter() throws -> Int64 {
    try cloud.withFolder("devices", LockWaitPolicy(account: account)) { folder in
      let name = FileName.encode(device)
      var object = try folder.read(name, "identifiers.json") ?? [:]
      let next = (object["drawn"]?.integer ?? 0) + 1
      object["drawn"] = .integer(next)
      try folder.write(object, name, "identifiers.json")
      return next
    }
  }
}
