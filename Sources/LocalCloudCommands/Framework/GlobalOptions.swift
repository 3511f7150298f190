import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// The options that every command accepts.
package enum GlobalOptions {
  package static let root = Option<String>(
    "root", "DIR", variable: .root, completes: .folder,
    help: "folder of the cloud; else the nearest parent folder that holds one, else the user data folder")
  static let account = Option<String>(
    "account", "NAME", variable: .account, completes: .account, help: "who acts; empty: nobody")
  static let device = Option<String>(
    "device", "NAME", variable: .device, completes: .device, help: "on which device; else the account's default one")
  package static let container = Option<String>(
    "container", "ID", aliases: ["container-id"], variable: .container, completes: .container,
    help: "the container, such as iCloud.com.example.app")
  static let environment = Option<CloudEnvironment>(
    "environment", "NAME", .cases, variable: .environment, help: "development or production")
  package static let database = Option<DatabaseScope>(
    "database", "NAME", .values([.private, .public, .shared], by: \.name), aliases: ["database-type"],
    help: "private, public or shared")
  static let json = Flag("json", help: "results and errors as JSON; no questions; the same as --format json")
  static let format = Option<OutputFormat>("format", "FORM", .cases, help: "table, json, jsonl or tsv")
  static let quiet = Flag(
    "quiet", short: "q", excludes: ["verbose"], help: "say nothing but results, the names of what was made, and errors")
  package static let verbose = Flag(
    "verbose", short: "v", repeating: true, help: "also tell who acts, where; with --json tell all notices, too")
  static let color = Option<ColorChoice>("color", "WHEN", .cases, help: "auto, always or never")
  static let lockTimeout = Option<Double>(
    "lock-timeout", "SECONDS", .seconds, variable: .lockTimeout,
    help: "how long to wait for other processes; 0 does not wait")
  static let clock = Option<String>("clock", "TIME", variable: .clock, help: "the cloud's clock for this call")
  static let seed = Option<String>(
    "seed", "SEED", variable: .seed, help: "makes names, tags and tokens repeatable")
  static let pushes = Option<String>(
    "pushes", "HOW", variable: .pushes,
    help: "self: also to the device that makes the change; coalesced: programs get one for several")
  static let noInput = Flag("no-input", help: "never ask; fail where an answer is needed")
  static let yes = Flag("yes", short: "y", help: "answer every question with yes")
  static let expect = Option<ServiceError.Code>(
    "expect", "CODE", .errorCode,
    help: "succeed only if CloudKit refuses the command with this error, such as permissionFailure")
  static let version = Flag("version", help: "print the version")
  static let help = Flag("help", short: "h", help: "-h prints a short help, --help the whole")

  package static let all: [any OptionDeclaration] = [
    root, account, device, container, environment, database, json, format, quiet, verbose, color, lockTimeout, clock,
    seed, pushes, noInput, yes, expect, version, help,
  ]
}
