/// Where a person's answer stands, with Apple's raw values.
package enum DiscoverabilityStatus: Int, Sendable, CaseIterable {
  case initialState = 0
  case couldNotComplete = 1
  case denied = 2
  case granted = 3

  package var name: String {
    switch self {
    case .initialState: "initialState"
    case .couldNotComplete: "couldNotComplete"
    case .denied: "denied"
    case .granted: "granted"
    }
  }
}
