/// What a benchmark found out.
struct Findings: Sendable {
  var figures: [Figure] = []
  /// What was left out and why, and whatever else one has to know to read the figures.
  var notes: [String] = []

  static func skipped(_ reason: String) -> Findings { Findings(notes: ["skipped: " + reason]) }
}
