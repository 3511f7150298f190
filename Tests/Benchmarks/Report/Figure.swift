/// A measured figure, with its comparison and the mark it should reach.
struct Figure: Sendable {
  struct Comparison: Sendable {
    var name: String
    var samples: Samples
  }

  var name: String
  var unit: MeasuredUnit
  var samples: Samples
  var comparison: Comparison?
  var mark: Mark?

  init(
    _ name: String, _ unit: MeasuredUnit, _ samples: Samples,
    against comparison: (name: String, samples: Samples)? = nil,
    mark: Mark? = nil
  ) {
    self.name = name
    self.unit = unit
    self.samples = samples
    self.comparison = comparison.map { Comparison(name: $0.name, samples: $0.samples) }
    self.mark = mark
  }

  /// The ratio of the medians.
  var ratio: Double? { comparison.map { samples.median / $0.samples.median } }

  /// Whether the mark is reached; nil if there is no mark, or if it needs a comparison and there is none.
  var isMet: Bool? {
    guard let mark, !mark.isOfRatio || ratio != nil else { return nil }
    return mark.isMet(value: samples.median, ratio: ratio)
  }
}
