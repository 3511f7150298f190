import LocalCloudStorage
import LocalCloudStore

/// A device, and the account that is signed in to iCloud on it.
package struct Device: Sendable, Hashable {
  package static let file = "device.json"

  package var name: String
  /// The account's local name; nil if no account is signed in.
  package var account: String?

  package init(name: String, account: String? = nil) {
    self.name = name
    self.account = account
  }
}

extension Device {
  package var object: JSONObject {
    var object: JSONObject = ["name": .string(name)]
    if let account { object["account"] = .string(account) }
    return object
  }

  /// Nil if `object` is not a valid device document.
  init?(_ object: JSONObject) {
    guard let name = object["name"]?.string else { return nil }
    self.init(name: name)
    guard let account = object["account"] else { return }
    guard let text = account.string else { return nil }
    self.account = text
  }
}
