import Storage

/// A subscription as it was when a commit was planned: one that was saved anew since is another one.
package struct SubscriptionReference: Sendable, Hashable {
  package var file: StorePath
  package var token: String

  package init(file: StorePath, token: String) {
    self.file = file
    self.token = token
  }

  init?(_ value: JSONValue) {
    guard let file = value["file"]?.string.flatMap(StorePath.init(text:)), file.base == .container,
      file.components.dropLast().last == SubscriptionFolder.folder,
      let token = value["token"]?.string
    else { return nil }
    self.init(file: file, token: token)
  }

  var value: JSONValue { ["file": .string(file.text), "token": .string(token)] }
}
