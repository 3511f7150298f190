import LocalCloudModel
import LocalCloudStorage

/// The content of a file of a long-lived operation. The service does not interpret it. Content with encrypted values is
/// encrypted as a whole ([encryption-value-10]).
enum StoredContent: Sendable, Hashable {
  case plain(JSONObject)
  case sealed(SealedContent)

  private static let (plainKey, sealedKey) = ("content", "sealed")

  /// Nil if the file's object has no valid content.
  init?(in object: JSONObject) {
    if let sealed = object[Self.sealedKey] {
      guard let content = SealedContent(sealed) else { return nil }
      self = .sealed(content)
    } else {
      guard let content = object[Self.plainKey]?.object else { return nil }
      self = .plain(content)
    }
  }

  func put(into object: inout JSONObject) {
    switch self {
    case .plain(let content): object[Self.plainKey] = .object(content)
    case .sealed(let content): object[Self.sealedKey] = .object(content.object)
    }
  }

  var sealed: SealedContent? {
    if case .sealed(let content) = self { content } else { nil }
  }
}

/// Content that is encrypted with a key of its own. The key is encrypted for the operation's account.
struct SealedContent: Sendable, Hashable {
  var key: PersonalKey
  /// The sealed bytes in base64.
  var content: String

  init(key: PersonalKey, content: String) {
    self.key = key
    self.content = content
  }

  init?(_ value: JSONValue) {
    guard let key = value["key"].flatMap(PersonalKey.init), let content = value["content"]?.string else { return nil }
    self.init(key: key, content: content)
  }

  var object: JSONObject { ["content": .string(content), "key": .object(key.object)] }
}

/// One of the two files of a long-lived operation.
struct OperationFile {
  var id: String
  var isAnswers = false
}
