/// Findings as one table for a page, such as README's.
enum MarkdownPrinter {
  static func header(_ machine: Machine) -> String {
    """
    \(machine.cores) cores, \(machine.disk) (\(machine.fileSystem)), \(machine.build) build; medians, with quartiles in brackets.

    | figure | measured | compared with | ratio | mark |
    |---|---|---|---|---|

    """
  }

  static func text(_ result: BenchmarkResult) -> String {
    result.findings.figures.map { figure in
      let cells = FigureCells(figure)
      let row = [
        "`\(result.name)`: \(figure.name)", cells.measured, cells.comparison, cells.ratio, cells.mark,
      ]
      return "| " + row.map { ($0 ?? "").replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }
}
