import TestSupport

extension StressStage {
  static func forMeasuring() throws -> StressStage {
    let stage = try StressStage()
    Leftovers.keep(stage.cloud)
    return stage
  }
}
