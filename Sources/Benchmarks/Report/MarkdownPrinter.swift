import Foundation

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
      let other = figure.comparison.map { "\($0.name): \(TablePrinter.spread($0.samples, figure.unit))" }
      let ratio = figure.ratio.map { String(format: "%.2f", $0) }
      let mark = figure.mark.map { $0.limitText + (figure.isMet == false ? " (missed)" : "") }
      let cells = [
        "`\(result.name)`: \(figure.name)", TablePrinter.spread(figure.samples, figure.unit), other, ratio, mark,
      ]
      return "| " + cells.map { ($0 ?? "").replacing("|", with: "\\|") }.joined(separator: " | ") + " |\n"
    }.joined()
  }
}
