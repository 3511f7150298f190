import Foundation

/// A figure's texts, for tables.
struct FigureCells {
  let measured: String
  /// Nil where there is nothing to compare with, or no mark.
  let comparison: String?
  let ratio: String?
  let mark: String?

  init(_ figure: Figure) {
    measured = Self.spread(figure.samples, figure.unit)
    comparison = figure.comparison.map { "\($0.name): \(Self.spread($0.samples, figure.unit))" }
    ratio = figure.ratio.map { String(format: "%.2f", $0) }
    mark = figure.mark.map { $0.text + (figure.isMet == false ? " (missed)" : "") }
  }

  private static func spread(_ samples: Samples, _ unit: MeasuredUnit) -> String {
    let median = "\(unit.text(samples.median)) \(unit.rawValue)"
    guard samples.count > 1 else { return median }
    return median + " [\(unit.text(samples.lowerQuartile))–\(unit.text(samples.upperQuartile))]"
  }
}
