import LocalCloudCommands
import LocalCloudPlatform

@main
enum LocalCloudTool {
  static func main() {
    StandardStream.reserveClosed()
    Terminal.ignoreBrokenPipes()
    let code = CommandLineTool.run(
      arguments: Array(CommandLine.arguments.dropFirst()), environment: HostProcess.environment, output: .process())
    // Nothing is buffered, so there is nothing to wait for.
    HostProcess.exitNow(code.rawValue)
  }
}
