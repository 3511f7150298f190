import CloudStore
import Storage

/// What everybody may know of an account's key pair in a container: its public half, and how many there were.
package struct AccountKey: Sendable, Hashable {
  /// Rises when the account's keys are reset.
  package var generation: Int64
  /// Nil until somebody needs one of this generation.
  package var publicKey: [UInt8]?

  package init(generation: Int64, publicKey: [UInt8]? = nil) {
    self.generation = generation
    self.publicKey = publicKey
  }

  /// No account gets there by resets.
  static let generations: ClosedRange<Int64> = 1...(1 << 50)

  var object: JSONObject {
    var object: JSONObject = ["generation": .integer(generation)]
    if let publicKey { object["publicKey"] = .string(Sealer.text(publicKey)) }
    return object
  }

  init?(_ value: JSONValue) {
    guard let generation = value["generation"]?.integer, Self.generations.contains(generation) else { return nil }
    self.init(generation: generation)
    guard let text = value["publicKey"] else { return }
    guard let key = text.string.flatMap(Sealer.bytes), SealingKey(key) != nil else { return nil }
    publicKey = key
  }
}
