import CloudService
import CloudStore

extension FieldArguments {
  /// The fields as the service takes them; nil removes one.
  func values() throws(ServiceError) -> [String: FieldValue?] {
    var result: [String: FieldValue?] = [:]
    for (name, field) in fields {
      result.updateValue(try FieldValue.parse(field.object ?? [:], key: name), forKey: name)
    }
    return result
  }

  /// What the service can't store yet, in its words.
  var unsupported: [String] { assets.isEmpty ? [] : ["assets"] }
}
