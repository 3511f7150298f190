import LocalCloudModel
import LocalCloudStorage

/// A key sealed for one person's key pair.
struct PersonalKey: Sendable, Hashable {
  var userRecordName: String
  /// The generation of the person's key pair.
  var generation: Int64
  var sealed: String

  init(userRecordName: String, generation: Int64, sealed: String) {
    self.userRecordName = userRecordName
    self.generation = generation
    self.sealed = sealed
  }

  /// Seals a key for a person's present key pair. Throws ``KeyPairsNeeded`` if they have none for the container.
  init(
    sealing key: SealingKey, for person: Account, in container: String, by sealer: Sealer, as context: SealContext
  ) throws {
    guard let pair = person.keys[container], let publicKey = pair.publicKey else {
      throw KeyPairsNeeded(accounts: [person.name])
    }
    self.init(
      userRecordName: person.userRecordName, generation: pair.generation,
      sealed: try sealer.wrap(key, forPublicKey: publicKey, as: context))
  }

  init?(_ value: JSONValue) {
    guard let user = value["userRecordName"]?.string, let generation = value["generation"]?.integer,
      AccountKey.generations.contains(generation), let sealed = value["sealed"]?.string
    else { return nil }
    self.init(userRecordName: user, generation: generation, sealed: sealed)
  }

  var object: JSONObject {
    [
      "generation": .integer(generation), "sealed": .string(sealed), "userRecordName": .string(userRecordName),
    ]
  }
}
