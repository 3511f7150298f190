import LocalCloudModel
import LocalCloudPlatform

extension KeyService {
  /// The sealer of this process. Throws if the system has no library for cryptography.
  func sealer() throws(ServiceError) -> Sealer {
    do {
      let cryptography = try settings.cryptography()
      guard let seed = settings.keySeed else {
        return Sealer(cryptography: cryptography, random: HostProcess.randomBytes)
      }
      let source = SeededKeys(seed: seed, cryptography: cryptography)
      return Sealer(cryptography: cryptography, random: source.bytes)
    } catch {
      throw ServiceError(error)
    }
  }
}

/// Keys for reproducible runs, all derived from one draw of the seed.
private final class SeededKeys {
  private let seed: () -> [UInt8]
  private let cryptography: Cryptography
  private var drawn: [UInt8]?
  private var count: UInt64 = 0

  init(seed: @escaping () -> [UInt8], cryptography: Cryptography) {
    self.seed = seed
    self.cryptography = cryptography
  }

  func bytes(_ size: Int) -> [UInt8] {
    let secret = drawn ?? seed()
    drawn = secret
    count += 1
    let number = withUnsafeBytes(of: count.littleEndian, Array.init)
    return (try? cryptography.derivedKey(from: secret, salt: [], information: number, count: size))
      ?? HostProcess.randomBytes(size)
  }
}
