import Platform
import Storage

/// A message that nobody else can take while this lives.
package struct HeldMessage: Sendable {
  package let name: MessageName
  package let object: JSONObject
  /// Tells it from another message that came under the same name.
  package let version: FileVersion
  private let file: File
  private let inbox: Inbox

  init(name: MessageName, object: JSONObject, version: FileVersion, file: File, inbox: Inbox) {
    self.name = name
    self.object = object
    self.version = version
    self.file = file
    self.inbox = inbox
  }

  /// Nobody gets it any more. Without this it waits for the next one who holds it.
  package func remove(_ patience: LockPatience) throws { try inbox.remove(name, patience) }
}
