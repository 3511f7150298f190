import LocalCloudStorage
import LocalCloudStore

/// Writes findings as JSON for programs.
enum JSONReport {
  static func bytes(_ results: [BenchmarkResult], _ machine: Machine) -> [UInt8] {
    let document: JSONValue = [
      "machine": [
        "cores": .integer(Int64(machine.cores)), "disk": .string(machine.disk),
        "fileSystem": .string(machine.fileSystem), "build": .string(machine.build),
      ],
      "benchmarks": .array(results.map(value)),
    ]
    return document.pretty()
  }

  private static func value(_ result: BenchmarkResult) -> JSONValue {
    [
      "name": .string(result.name), "summary": .string(result.summary),
      "figures": .array(result.findings.figures.map(value)),
      "notes": .array(result.findings.notes.map { .string($0) }),
    ]
  }

  private static func value(_ figure: Figure) -> JSONValue {
    var object = members(figure.samples)
    object["name"] = .string(figure.name)
    object["unit"] = .string(figure.unit.rawValue)
    if let comparison = figure.comparison {
      var other = members(comparison.samples)
      other["name"] = .string(comparison.name)
      object["comparison"] = .object(other)
    }
    object["ratio"] = figure.ratio.map { .double($0) }
    if let mark = figure.mark {
      object["mark"] = [
        "of": mark.isOfRatio ? "ratio" : "median", "sign": .string(mark.sign), "limit": .double(mark.limit),
      ]
    }
    object["met"] = figure.isMet.map { .bool($0) }
    return .object(object)
  }

  private static func members(_ samples: Samples) -> JSONObject {
    [
      "median": .double(samples.median), "lowerQuartile": .double(samples.lowerQuartile),
      "upperQuartile": .double(samples.upperQuartile), "samples": .integer(Int64(samples.count)),
    ]
  }
}
