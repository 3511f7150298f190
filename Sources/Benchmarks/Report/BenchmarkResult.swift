/// A benchmark's findings, for the printers.
struct BenchmarkResult: Sendable {
  var name: String
  var summary: String
  var findings: Findings
}
