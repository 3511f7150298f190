import LocalCloudPlatform
import LocalCloudStorage

/// The public part of an account's key pair in a container: its public key and its generation.
package struct AccountKey: Sendable, Hashable {
  /// Increases with each reset of the account's keys.
  package var generation: Int64
  /// Nil until a request needs a key pair of this generation.
  package var publicKey: [UInt8]?

  package init(generation: Int64, publicKey: [UInt8]? = nil) {
    self.generation = generation
    self.publicKey = publicKey
  }

  /// The accepted generations. No real account reaches the end by resets.
  package static let generations: ClosedRange<Int64> = 1...(1 << 50)

  package var object: JSONObject {
    var object: JSONObject = ["generation": .integer(generation)]
    if let publicKey { object["publicKey"] = .string(publicKey.base64Text) }
    return object
  }

  package init?(_ value: JSONValue) {
    guard let generation = value["generation"]?.integer, Self.generations.contains(generation) else { return nil }
    self.init(generation: generation)
    guard let text = value["publicKey"] else { return }
    guard let key = text.string.flatMap([UInt8].init(base64Text:)),
      key.count == Cryptography.keySize
    else { return nil }
    publicKey = key
  }
}
