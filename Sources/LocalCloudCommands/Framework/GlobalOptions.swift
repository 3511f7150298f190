import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// The options that every command accepts.
package enum GlobalOptions {
  package static let all: [OptionDescription] = [
    .value(
      "root", "DIR", variable: .root,
      help: "folder of the cloud; else the nearest parent folder that holds one, else the user data folder"),
    .value("account", "NAME", variable: .account, help: "who acts; empty: nobody"),
    .value(
      "device", "NAME", variable: .device,
      help: "on which device; else the account's default one"),
    .value(
      "container", "ID", aliases: ["container-id"], variable: .container,
      help: "the container, such as iCloud.com.example.app"),
    .value(
      "environment", "NAME", allowed: CloudEnvironment.allCases.map(\.rawValue), variable: .environment,
      help: "development or production"),
    .value(
      "database", "NAME", aliases: ["database-type"], allowed: DatabaseScope.names,
      help: "private, public or shared"),
    .flag("json", help: "results and errors as JSON; no questions; the same as --format json"),
    .value("format", "FORM", allowed: OutputFormat.allCases.map(\.rawValue), help: "table, json, jsonl or tsv"),
    .flag("quiet", short: "q", help: "say nothing but results and errors"),
    .flag("verbose", short: "v", repeating: true, help: "also tell who acts, where; with --json tell all notices, too"),
    .value("color", "WHEN", allowed: ColorChoice.allCases.map(\.rawValue), help: "auto, always or never"),
    .value(
      "lock-timeout", "SECONDS", variable: .lockTimeout, check: ValueCheck.seconds,
      help: "how long to wait for other processes; 0 does not wait"),
    .value(
      "clock", "TIME", variable: .clock, help: "the cloud's clock for this call"),
    .value(
      "seed", "SEED", variable: .seed, help: "makes names, tags and tokens repeatable"),
    .value(
      "pushes", "HOW", variable: .pushes,
      help: "self: also to the device that makes the change; coalesced: programs get one for several"),
    .flag("no-input", help: "never ask; fail where an answer is needed"),
    .flag("yes", short: "y", help: "answer every question with yes"),
    .flag("version", help: "print the version"),
    .flag("help", short: "h", help: "-h prints a short help, --help the whole"),
  ]

  /// Groups of options that exclude each other.
  static let exclusive = [["quiet", "verbose"]]
}
