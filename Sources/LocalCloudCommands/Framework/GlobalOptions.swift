/// The options that every command takes.
package enum GlobalOptions {
  package static let all: [OptionDescription] = [
    .value(
      "root", "DIR", environmentVariable: "LOCALCLOUD_ROOT",
      help: "folder of the cloud; else the nearest parent folder that holds one, else the user data folder"),
    .value("account", "NAME", environmentVariable: "LOCALCLOUD_ACCOUNT", help: "who acts"),
    .value(
      "device", "NAME", environmentVariable: "LOCALCLOUD_DEVICE",
      help: "on which device; else the account's default one"),
    .value(
      "container", "ID", aliases: ["container-id"], environmentVariable: "LOCALCLOUD_CONTAINER",
      help: "the container, such as iCloud.com.example.app"),
    .value(
      "environment", "NAME", allowed: ["development", "production"], environmentVariable: "LOCALCLOUD_ENVIRONMENT",
      help: "development or production"),
    .value(
      "database", "NAME", aliases: ["database-type"], allowed: ["private", "public", "shared"],
      help: "private, public or shared"),
    .flag("json", help: "results and errors as JSON; no questions; the same as --format json"),
    .value("format", "FORM", allowed: OutputFormat.allCases.map(\.rawValue), help: "table, json, jsonl or tsv"),
    .flag("quiet", short: "q", help: "say nothing but results and errors"),
    .flag("verbose", short: "v", repeating: true, help: "say more; -vv says even more"),
    .value("color", "WHEN", allowed: ColorChoice.allCases.map(\.rawValue), help: "auto, always or never"),
    .value(
      "lock-timeout", "SECONDS", environmentVariable: "LOCALCLOUD_LOCK_TIMEOUT", check: ValueCheck.seconds,
      help: "how long to wait for other processes; 0 does not wait"),
    .value(
      "clock", "TIME", environmentVariable: "LOCALCLOUD_CLOCK", help: "the cloud's clock for this call"),
    .value(
      "seed", "SEED", environmentVariable: "LOCALCLOUD_SEED", help: "makes names, tags and tokens repeatable"),
    .flag("no-input", help: "never ask; fail where an answer is needed"),
    .flag("yes", short: "y", help: "answer every question with yes"),
    .flag("version", help: "print the version"),
    .flag("help", short: "h", help: "-h prints a short help, --help the whole"),
  ]

  /// Groups that contradict each other.
  static let exclusive = [["quiet", "verbose"]]

  /// Variables are checked like options, before a command starts; an empty one counts as absent.
  static func checkVariables(_ environment: (String) -> String?) throws {
    for option in all {
      guard let variable = option.environmentVariable, let value = environment(variable), !value.isEmpty else {
        continue
      }
      if let problem = option.problem(with: value, from: variable) { throw problem }
    }
  }
}
