import Storage

extension JournalEntry {
  /// A push that the commit causes, to be handed to devices once it is committed.
  struct Push: Sendable, Equatable {
    /// Names of devices.
    var devices: [String]
    /// The line for the devices' logs, but for what each log adds.
    var line: JSONObject
    /// The subscription that ends with its first push; the push is sent if it still had none.
    var once: SubscriptionReference?

    init(devices: [String], line: JSONObject, once: SubscriptionReference? = nil) {
      self.devices = devices
      self.line = line
      self.once = once
    }

    init?(_ item: JSONValue) {
      guard let devices = item["devices"]?.array?.compactMap(\.string), let line = item["line"]?.object else {
        return nil
      }
      self.init(devices: devices, line: line)
      guard let once = item["once"] else { return }
      guard let reference = SubscriptionReference(once) else { return nil }
      self.once = reference
    }

    var value: JSONValue {
      var object: JSONObject = ["devices": .array(devices.map { .string($0) }), "line": .object(line)]
      if let once { object["once"] = once.value }
      return .object(object)
    }
  }
}

/// A subscription as it was when a commit was planned: one that was saved anew since is another one.
package struct SubscriptionReference: Sendable, Hashable {
  package var file: FilePath
  package var token: String

  package init(file: FilePath, token: String) {
    self.file = file
    self.token = token
  }

  init?(_ value: JSONValue) {
    guard let file = value["file"]?.string.flatMap(FilePath.init(text:)), file.base == .container,
      file.components.dropLast().last == SubscriptionFolder.folder,
      let token = value["token"]?.string
    else { return nil }
    self.init(file: file, token: token)
  }

  var value: JSONValue { ["file": .string(file.text), "token": .string(token)] }
}
