import LocalCloudPlatform

/// `swift run -c release Benchmarks [name…]` measures figures and prints them with their comparisons and marks. A
/// missed mark does not change the exit status. Compare ratios within one run: absolute figures depend on the machine.
@main
enum Benchmarks {
  static let all: [any Benchmark.Type] = [
    SaveBenchmark.self, BulkBenchmark.self, ContentionBenchmark.self, ReadersBenchmark.self, ChangesBenchmark.self,
    ViewerBenchmark.self, RewriteBenchmark.self, PushBenchmark.self, AwaitBenchmark.self, ProcessBenchmark.self,
    QueriesBenchmark.self, LargeZoneBenchmark.self,
    ObjectsBenchmark.self, FetchingBenchmark.self, MirrorBenchmark.self,
    TransferBenchmark.self, WaitingBenchmark.self, TemporaryBenchmark.self, SnapshotBenchmark.self,
    EngineBenchmark.self, HooksBenchmark.self,
  ]

  static func main() throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    // A benchmark starts this program again as a worker process.
    if arguments.first == Worker.argument { return try Worker.run(Array(arguments.dropFirst())) }
    let options: Options
    do { options = try Options(arguments) } catch {
      StandardStream.error.write("Benchmarks: error: \(error.message)\n")
      HostProcess.exitNow(UsageError.exitStatus)
    }
    if options.help {
      StandardStream.output.write(Options.helpText(all))
      return
    }
    let isComplete = try run(options)
    StandardStream.error.write("… removing what was made\n")
    Leftovers.remove()
    if !isComplete { HostProcess.exitNow(70) }
  }

  /// Runs the benchmarks. Returns false if one of them failed.
  private static func run(_ options: Options) throws -> Bool {
    let machine = Machine.current()
    switch options.format {
    case .tables: StandardStream.output.write(TablePrinter.header(machine))
    case .markdown: StandardStream.output.write(MarkdownPrinter.header(machine))
    case .json: break
    }
    var results: [BenchmarkResult] = []
    var isComplete = true
    for benchmark in all where options.names.isEmpty || options.names.contains(benchmark.name) {
      StandardStream.error.write("… \(benchmark.name)\n")
      var findings: Findings
      do { findings = try benchmark.run(options) } catch {
        isComplete = false
        findings = Findings()
        findings.notes.append("failed: \(error)")
      }
      let result = BenchmarkResult(name: benchmark.name, summary: benchmark.summary, findings: findings)
      results.append(result)
      switch options.format {
      case .tables: StandardStream.output.write(TablePrinter.text(result))
      case .markdown:
        StandardStream.output.write(MarkdownPrinter.text(result))
        // The markdown table does not contain the notes, so they go to standard error.
        for note in findings.notes { StandardStream.error.write("\(benchmark.name): \(note)\n") }
      case .json: break
      }
    }
    if options.format == .json { try StandardStream.output.send(JSONReport.bytes(results, machine)) }
    return isComplete
  }
}
