import LocalCloudCommands

/// Prints findings as text tables for people.
enum TablePrinter {
  static func header(_ machine: Machine) -> String {
    """
    LocalCloudKit's figures; \(machine.cores) cores, \(machine.disk) (\(machine.fileSystem)), \(machine.build) build
    Medians, with quartiles in brackets. Each ratio is to the figure beside it, taken in turns with it.

    """
  }

  static func text(_ result: BenchmarkResult) -> String {
    var text = "\n\(result.name): \(result.summary)\n"
    if !result.findings.figures.isEmpty {
      let table = Table(
        ["figure", "measured", "compared with", "ratio and mark"], rows: result.findings.figures.map(row))
      text += table.aligned().rendered(colored: false)
    }
    for note in result.findings.notes { text += "note: \(note)\n" }
    return text
  }

  private static func row(_ figure: Figure) -> [String] {
    let cells = FigureCells(figure)
    let verdict = [cells.ratio.map { "ratio " + $0 }, cells.mark.map { "mark " + $0 }].compactMap { $0 }
    return [
      figure.name, cells.measured, cells.comparison ?? "-", verdict.isEmpty ? "-" : verdict.joined(separator: ", "),
    ]
  }
}
