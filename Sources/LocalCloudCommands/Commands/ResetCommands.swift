import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

struct ResetAllCommand: Command {
  static let description = CommandDescription(
    "reset", "all", summary: "Delete all data of the cloud",
    discussion: """
      In all containers and both environments: zones, records, shares and subscriptions of all accounts, and all that \
      waits on devices: pushes, opened links and long-lived operations. The cloud gets the machine's clock again, and \
      the fault rules end. Accounts and schemas stay, unless --accounts and --schema name them. Programs that run see \
      the zones as deleted. If it is cut short, doing it again does the rest.
      """,
    examples: [
      .init("Before each test of a suite", "localcloud reset all --yes"),
      .init("As after init", "localcloud reset all --accounts --schema --yes"),
    ],
    exitCodes: [.failure, .noStore, .locked, .storage], deletesData: true)

  let accounts = Flag("accounts", help: "also remove the accounts, and sign their devices out")
  let schema = Flag.resetSchema
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { [accounts, schema, dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session(as: .administrator)
    var extras: ResetExtras = context[schema] ? .schema : []
    if context[accounts] { extras.insert(.accounts) }
    try context.reset(.all, extras, "the cloud \(session.settings.root.value)", session)
  }
}

struct ResetContainerCommand: Command {
  static let description = CommandDescription(
    "reset", "container", summary: "Delete all data of a container",
    discussion: """
      Does in both environments of the container that --container or LOCALCLOUD_CONTAINER names what "reset all" does \
      in the whole cloud. Other containers and all accounts stay.
      """,
    examples: [.init("One of several", "localcloud reset container --container iCloud.com.example.App --yes")],
    exitCodes: [.failure, .noStore, .locked, .storage], deletesData: true)

  let schema = Flag.resetSchema
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { [schema, dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session(as: .administrator)
    context.hintAtContainers(session)
    let container = session.caller.container
    try context.reset(
      .container(container), context[schema] ? .schema : [], "the container \(container)", session)
  }
}

struct ResetEnvironmentCommand: Command {
  static let description = CommandDescription(
    "reset", "environment", summary: "Delete all data of an environment",
    discussion: """
      Does in one environment of a container what "reset all" does in the whole cloud. --environment or \
      LOCALCLOUD_ENVIRONMENT names it, else it is development. "schema reset" deletes the data of development, too, \
      and replaces its schema by production's.
      """,
    examples: [.init("Only production", "localcloud reset environment --environment production --yes")],
    exitCodes: [.failure, .noStore, .locked, .storage], deletesData: true)

  let schema = Flag.resetSchema
  let dryRun = Flag.dryRun

  var options: [any OptionDeclaration] { [schema, dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session(as: .administrator)
    context.hintAtContainers(session)
    let (container, environment) = (session.caller.container, session.caller.environment)
    try context.reset(
      .environment(environment, of: container), context[schema] ? .schema : [],
      "\(environment.rawValue) of \(container)", session)
  }
}

struct ResetAccountCommand: Command {
  static let description = CommandDescription(
    "reset", "account", summary: "Delete all private data of an account",
    discussion: """
      In all containers and both environments: the account's own zones with their shares, its subscriptions, and all \
      that waits for it on devices. The account stays, and so do its records in the public database and the zones that \
      others share with it. "account purge" does what iCloud's Settings do.
      """,
    examples: [.init("Without a question", "localcloud reset account bob --yes")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .storage], deletesData: true)

  let name = Argument<String>.account
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session(as: .administrator)
    let account = try session.service.accounts.account(context[name])
    try context.reset(.account(account.name), [], "the account \(account.name)", session)
  }
}

struct ResetZoneCommand: Command {
  static let description = CommandDescription(
    "reset", "zone", summary: "Delete a zone of the private database, or empty the default zone",
    discussion: """
      Deletes a zone of the acting account as "zone delete" does. The default zone can't be deleted: it loses all its \
      records, also the user's own. Subscriptions to other zones stay.
      """,
    examples: [.init("All records of the default zone", "localcloud reset zone _defaultZone --yes")],
    exitCodes: [.failure, .noStore, .locked, .notFound, .refused, .storage], deletesData: true)

  let name = Argument<String>("name", completes: .zone, help: "the zone's name")
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    guard context.scope() == .private else {
      throw CommandFailure.usage(
        "only zones of the private database are reset",
        hint: "\"zone delete\" leaves a shared zone; \"reset environment\" empties the public database")
    }
    let session = try context.session()
    context.hintAtContainers(session)
    let name = context[self.name]
    try context.reset(.zone(ExactName(name)), [], "zone \(name)", session)
  }
}

extension Flag {
  fileprivate static let resetSchema = Flag("schema", help: "also remove the record types that apps have made")
}

extension CommandContext {
  /// Runs a reset, after a question, or only prints its effects in a dry run.
  ///
  /// - Parameter what: the words for the target, in the question and in the result.
  fileprivate func reset(
    _ target: ResetTarget, _ extras: ResetExtras, _ what: String, _ session: Session
  ) throws {
    let resets = session.service.resets
    // The reset may remove the accounts, with their names.
    let text = ResetText(people: try People(session))
    if isDryRun {
      let preview = try resets.preview(target, extras, by: session.caller)
      return try writeDryRun(ResetText.document(preview), text: text.lines(preview, of: what))
    }
    try confirm("delete all data of \(what)" + (extras.contains(.accounts) ? " and its accounts" : ""))
    let reset = try resets.reset(target, extras, by: session.caller)
    try writeUnlessQuiet(ResetText.document(reset), text: text.lines(reset, of: what))
  }
}
