import Storage

/// What a person says, or said, to an app that asks whether others may find them.
package struct Discoverability: Sendable, Hashable {
  package var isGranted: Bool
  /// Whether the app asked; before, this is what it is going to be told.
  package var wasAsked: Bool

  package init(isGranted: Bool, wasAsked: Bool) {
    self.isGranted = isGranted
    self.wasAsked = wasAsked
  }

  /// What somebody says of whom nothing else is known.
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
