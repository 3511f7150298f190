import CloudModel
import Storage

/// A key sealed for one person's key pair.
struct PersonalKey: Hashable {
  var userRecordName: String
  /// The generation of the person's key pair.
  var generation: Int64
  var sealed: String

  init(userRecordName: String, generation: Int64, sealed: String) {
    self.userRecordName = userRecordName
    self.generation = generation
    self.sealed = sealed
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
