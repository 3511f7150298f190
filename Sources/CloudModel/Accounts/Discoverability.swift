import LocalCloudStorage

/// A user's answer to an app that asks whether other users may find them.
package struct Discoverability: Sendable, Hashable {
  package var isGranted: Bool
  /// Whether the app has asked. If not, this is the answer that it will get.
  package var wasAsked: Bool

  package init(isGranted: Bool, wasAsked: Bool) {
    self.isGranted = isGranted
    self.wasAsked = wasAsked
  }

  /// The answer of a user without a set answer.
  package static let standard = Discoverability(isGranted: true, wasAsked: false)

  package var status: DiscoverabilityStatus { !wasAsked ? .initialState : isGranted ? .granted : .denied }
}

extension Discoverability {
  package var object: JSONObject {
    [
      "asked": .bool(wasAsked),
      "userDiscoverability": .string((isGranted ? DiscoverabilityStatus.granted : .denied).name),
    ]
  }

  package init?(_ object: JSONObject) {
    guard let wasAsked = object["asked"]?.bool, let answer = object["userDiscoverability"]?.string,
      answer == DiscoverabilityStatus.granted.name || answer == DiscoverabilityStatus.denied.name
    else { return nil }
    self.init(isGranted: answer == DiscoverabilityStatus.granted.name, wasAsked: wasAsked)
  }
}
