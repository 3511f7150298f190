import LocalCloudModel
import LocalCloudStorage

/// The message that a share's link was opened on a device, for the program of its container.
package struct OpenedLink: Sendable, Hashable {
  package static let kind = "openURL"

  package var url: String
  package var container: String
  package var environment: CloudEnvironment
  /// Milliseconds since 1970.
  package var sent: Int64

  package init(url: String, container: String, environment: CloudEnvironment, sent: Int64) {
    self.url = url
    self.container = container
    self.environment = environment
    self.sent = sent
  }

  /// Without the kind: the inbox adds it.
  var object: JSONObject {
    [
      "containerIdentifier": .string(container), "environment": .string(environment.rawValue),
      "sent": .string(Timestamp.text(milliseconds: sent)), "url": .string(url),
    ]
  }

  /// Nil if `object` is not a valid message.
  package init?(_ object: JSONObject) {
    guard let url = object["url"]?.string, ShareDetails.shortGUID(inURL: url) != nil,
      let container = object["containerIdentifier"]?.string,
      let environment = object["environment"]?.string.flatMap(CloudEnvironment.init),
      let sent = object["sent"]?.string.flatMap(Timestamp.milliseconds(text:))
    else { return nil }
    self.init(url: url, container: container, environment: environment, sent: sent)
  }
}
