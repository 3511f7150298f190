import LocalCloudModel

extension FieldArguments {
  /// The plain fields in the service's form; nil removes a field. `named` are the files of `--asset-files` by key.
  func values(assetFiles named: [String: String]) throws -> [String: FieldValue?] {
    var result = try values(encrypted: false)
    for (name, field) in assets { result[name] = try field.value(of: name, named) }
    return result
  }

  /// The fields to encrypt.
  func encryptedValues() throws(ServiceError) -> [String: FieldValue?] { try values(encrypted: true) }

  private func values(encrypted: Bool) throws(ServiceError) -> [String: FieldValue?] {
    var result: [String: FieldValue?] = [:]
    for (name, field) in fields {
      var field = field.object ?? [:]
      guard (field["isEncrypted"]?.bool == true) == encrypted else { continue }
      field["isEncrypted"] = nil
      result.updateValue(try FieldValue.parse(field, key: name), forKey: name)
    }
    return result
  }
}

extension FieldAssets {
  fileprivate func value(of name: String, _ named: [String: String]) throws -> FieldValue {
    let files: [String]
    switch source {
    case .paths(let paths): files = paths
    case .keys(let keys):
      files = try keys.map { key in
        guard let path = named[key] else {
          throw CommandFailure.usage("field \"\(name)\": no --asset-files \(key)=PATH is given")
        }
        return path
      }
    }
    let values = files.map { FieldValue.asset(AssetValue(file: $0)) }
    return isList ? .list(.asset, values) : values.first ?? .list(.asset, [])
  }
}

extension FieldOptions {
  /// The files of `--asset-files` by key. Fields in `cktool`'s form name them by these keys.
  func assetFiles(_ context: CommandContext) throws -> [String: String] {
    var result: [String: String] = [:]
    for word in context[assetFiles] {
      guard let (key, path) = word.splitOnce(at: "="), !key.isEmpty, !path.isEmpty else {
        throw CommandFailure.usage("--asset-files \"\(word)\": expected KEY=PATH")
      }
      guard result.updateValue(path, forKey: key) == nil else {
        throw CommandFailure.usage("--asset-files names \(key) twice")
      }
    }
    return result
  }
}
