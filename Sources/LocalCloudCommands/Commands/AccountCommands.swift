import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct AccountAddCommand: Command {
  static let description = CommandDescription(
    "account", "add", summary: "Add people's iCloud accounts",
    discussion: """
      People are invited to shares by the addresses and numbers given here. Several accounts have neither: they are \
      invited by their names.
      """,
    examples: [
      .init("Somebody to share with", "localcloud account add bob --email bob@example.com"),
      .init("Several people", "localcloud account add anna ben cleo"),
      .init(
        "With several addresses and a name",
        "localcloud account add ada --email ada@example.com --email a@example.org --phone +15550100 --given-name Ada"),
    ], exitCodes: [.failure, .noStore])

  let names = ArgumentList<String>("name", help: "a short name, for --account and LOCALCLOUD_ACCOUNT")
  let account = AccountOptions()

  var arguments: [any ArgumentDeclaration] { [names] }
  var options: [any OptionDeclaration] { account.options }

  func run(_ context: CommandContext) throws {
    let names = context[self.names]
    if names.count > 1, let option = account.ofOnePerson.first(where: context.isGiven) {
      throw CommandFailure.usage("--\(option.name) belongs to one person, but there are \(names.count) names")
    }
    let accounts = try context.session(as: .administrator).service.accounts
    var added: [Account] = []
    do {
      for name in names { added.append(try accounts.addAccount(name, account.changes(context))) }
    } catch {
      if added.isEmpty { throw error }
      var failure = CommandFailure(error)
      failure.message += " (added before: \(added.map(\.name).joined(separator: ", ")))"
      throw failure
    }
    var text = StyledText()
    for account in added {
      text.append("added \(account.name, .bold), user record \(account.userRecordName)\n" as StyledText)
    }
    try context.writeResult(
      made: added.map(\.name),
      names.count == 1 ? added[0].object : ["accounts": .array(added.map { .object($0.object) })], text: text)
  }
}

struct AccountListCommand: Command {
  static let description = CommandDescription(
    "account", "list", summary: "List all accounts",
    examples: [.init("Names alone", "localcloud account list --json | jq -r '.accounts[].name'")],
    exitCodes: [.noStore, .storage])

  func run(_ context: CommandContext) throws {
    let (accounts, failures) = try context.session(as: .administrator).service.accounts.listAccounts()
    try context.writeResult(
      list: "accounts", accounts.map { .object($0.object) }, isPartial: !failures.isEmpty,
      table: AccountText.table(accounts))
    if let failure = CommandFailure(failures, of: accounts.count + failures.count, "accounts") { throw failure }
    if accounts.isEmpty { context.output.hint("add one with: localcloud account add NAME --email ADDRESS") }
  }
}

struct AccountShowCommand: Command {
  static let description = CommandDescription(
    "account", "show", summary: "Show an account",
    examples: [
      .init("The acting account's user record name", "localcloud account show --json | jq -r .userRecordName")
    ],
    exitCodes: [.noStore, .notFound])

  let name = OptionalArgument<String>.account

  var arguments: [any ArgumentDeclaration] { [name] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let account = try context.account(context[name], of: session)
    try context.writeResult(account.object, text: AccountText.details(account))
  }
}

struct AccountSetCommand: Command {
  static let description = CommandDescription(
    "account", "set", summary: "Change an account",
    discussion: """
      What is not named stays. --email and --phone replace all the addresses or numbers there were; an empty value \
      leaves none. A status other than available makes the account's requests fail as iCloud would, on all its devices; \
      programs that run there are told (CKAccountChanged). While the storage is full, whatever anybody saves in the \
      account's private zones fails with quotaExceeded; what is there can be read and deleted.
      """,
    examples: [
      .init("As if a password had to be entered again", "localcloud account set bob --status temporarilyUnavailable"),
      .init("No room for one more record", "localcloud account set bob --storage full"),
      .init(
        "Two addresses instead of those before",
        "localcloud account set bob --email b@example.com --email b@example.org"),
    ], exitCodes: [.failure, .noStore, .notFound])

  let name = Argument<String>.account
  let account = AccountOptions()

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { account.options }

  func run(_ context: CommandContext) throws {
    guard options.contains(where: context.isGiven) else {
      throw CommandFailure.usage("nothing to change was named")
    }
    let account = try context.session(as: .administrator).service.accounts.setAccount(
      context[name], self.account.changes(context))
    try context.writeUnlessQuiet(account.object, text: "changed \(account.name, .bold)")
  }
}

struct AccountRemoveCommand: Command {
  static let description = CommandDescription(
    "account", "remove", summary: "Remove an account",
    discussion: "Only an account without data of its own and without joined shares can go.",
    examples: [.init("Without a question", "localcloud account remove bob --yes")],
    exitCodes: [.failure, .noStore, .notFound], deletesData: true)

  let name = Argument<String>.account
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let service = try context.session(as: .administrator).service
    let account = try service.accounts.account(context[name])
    let document: JSONObject = [
      "deleted": true, "name": .string(account.name), "userRecordName": .string(account.userRecordName),
    ]
    if context.isDryRun { return try context.writeDryRun(document, text: "remove \(account.name, .bold)") }
    try context.confirm("remove the account \(account.name)")
    try service.accounts.removeAccount(account.name)
    try context.writeUnlessQuiet(document, text: "removed \(account.name, .bold)")
  }
}

struct AccountDiscoverabilityCommand: Command {
  static let description = CommandDescription(
    "account", "discoverability", summary: "Show or set whether a program lets others find a person",
    discussion: """
      This is what people answer a program that calls requestApplicationPermission, and what the Settings of a device let \
      them change later. Nobody is asked here: without an answer they say yes. It holds for one container.
      """,
    examples: [
      .init("Nobody is to find bob", "localcloud account discoverability bob --answer denied"),
      .init("He says no as soon as he is asked", "localcloud account discoverability bob --answer denied --when-asked"),
      .init("As if he had never been asked", "localcloud account discoverability bob --answer initialState"),
    ],
    exitCodes: [.failure, .noStore, .notFound])

  let name = Argument<String>.account
  let answer = Option<DiscoverabilityStatus>(
    "answer", "ANSWER", .values([.granted, .denied, .initialState], by: \.name),
    help: "granted, denied, or initialState: not asked yet")
  let whenAsked = Flag("when-asked", help: "the answer is given when the program asks")

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [answer, whenAsked] }

  func run(_ context: CommandContext) throws {
    let session = try context.session(as: .administrator)
    let (name, container) = (context[self.name], session.caller.container)
    let account: Account
    switch context[answer] {
    case let answer?:
      let isUnasked = answer == .initialState
      if isUnasked, context[whenAsked] {
        throw CommandFailure.usage("initialState is no answer", hint: "--when-asked goes with granted or denied")
      }
      account = try session.service.accounts.setDiscoverability(
        of: name, in: container,
        isUnasked
          ? nil
          : Discoverability(
            isGranted: answer == .granted, wasAsked: !context[whenAsked]))
    case nil:
      if context[whenAsked] {
        throw CommandFailure.usage("--when-asked needs an answer", hint: "add --answer granted or --answer denied")
      }
      account = try session.service.accounts.account(name)
    }
    let permission = account.permissions[container] ?? .standard
    let answer = (permission.isGranted ? DiscoverabilityStatus.granted : .denied).name
    try context.writeResult(
      [
        "account": .string(account.name), "answer": .string(answer), "container": .string(container),
        "status": .string(permission.status.name),
      ],
      text: text(account, container, permission, answer))
  }

  private func text(
    _ account: Account, _ container: String, _ permission: Discoverability, _ answer: String
  ) -> StyledText {
    var list = DetailList("account \(account.name, .bold)")
    list.add("container", container)
    list.add("status", permission.status.name)
    if !permission.wasAsked { list.add("when asked", answer) }
    return list.text
  }
}

struct AccountResetKeysCommand: Command {
  static let description = CommandDescription(
    "account", "reset-keys", summary: "Throw an account's encryption keys away",
    discussion: """
      What happens when somebody loses their keychain and starts over: in the acting container all that is encrypted \
      with the old keys is gone. The account's zones that hold encrypted values or assets read as absent, with \
      CloudKit's CKErrorUserDidResetEncryptedDataKey, until they are deleted or saved again; the default zone loses those \
      fields alone. Whoever takes part in a share of such a zone loses it. In others' zones the account has to accept \
      the shares again. --dry-run lists every zone of others that is shared with the account.
      """,
    examples: [.init("Without a question", "localcloud account reset-keys alice --yes")],
    exitCodes: [.failure, .noStore, .locked, .notFound], deletesData: true)

  let name = OptionalArgument<String>.account
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let account = try context.account(context[name], of: session)
    let container = session.caller.container
    if context.isDryRun {
      let zones = try StoredData(of: account, in: container, session) { $0?.needsKey ?? true }.zones
      let shared = try session.service.checks.contents().filter {
        $0.container == container && $0.scope == .shared && $0.account == account.name
      }.flatMap { database in
        database.zones.compactMap { zone in
          CloudEnvironment(rawValue: database.environment).map { EnvironmentZone(environment: $0, zone: zone) }
        }
      }
      return try context.writeDryRun(
        document(account, container, (account.keys[container]?.generation ?? 0) + 1, zones, shared),
        text: "reset the keys of \(account.name, .bold) in \(container): \(text(zones, shared))")
    }
    try context.confirm("throw away all that is encrypted with the keys of \(account.name) in \(container)")
    let reset = try session.service.keys.resetKeys(of: account.name, container: container)
    try context.writeUnlessQuiet(
      document(account, container, reset.generation, reset.zones, reset.shared),
      text: "reset the keys of \(account.name, .bold) in \(container): \(text(reset.zones, reset.shared))")
  }

  private func document(
    _ account: Account, _ container: String, _ generation: Int64, _ zones: [EnvironmentZone],
    _ shared: [EnvironmentZone]
  ) -> JSONObject {
    [
      "containerIdentifier": .string(container), "generation": .integer(generation), "name": .string(account.name),
      "sharedZones": .array(shared.map { .object($0.object) }), "zones": .array(zones.map { .object($0.object) }),
    ]
  }

  private func text(_ zones: [EnvironmentZone], _ shared: [EnvironmentZone]) -> String {
    func names(_ zones: [EnvironmentZone]) -> String { zones.map(\.zone.name.string).joined(separator: ", ") }
    var parts: [String] = []
    if !zones.isEmpty { parts.append("gone are \(names(zones))") }
    if !shared.isEmpty { parts.append("to be joined again are \(names(shared))") }
    return parts.isEmpty ? "nothing was encrypted" : parts.joined(separator: "; ")
  }
}

struct AccountPurgeCommand: Command {
  static let description = CommandDescription(
    "account", "purge", summary: "Delete all that an account keeps in a container",
    discussion: """
      What happens when somebody deletes an app's data in the Settings of iCloud: in the acting container, in both \
      environments, the account's own zones go with their shares, and read as deleted by the user, CloudKit's \
      userDeletedZone, until they are deleted or saved again; the default zone loses its records. Whoever takes part in a \
      share of such a zone loses it. What others share with the account stays, and so does the public database.
      """,
    examples: [
      .init("Without a question", "localcloud account purge alice --yes"),
      .init("Another container's data", "localcloud account purge alice --container iCloud.com.example.App"),
    ],
    exitCodes: [.failure, .noStore, .locked, .notFound], deletesData: true)

  let name = OptionalArgument<String>.account
  let dryRun = Flag.dryRun

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [dryRun] }

  func run(_ context: CommandContext) throws {
    let session = try context.session()
    let account = try context.account(context[name], of: session)
    let container = session.caller.container
    if context.isDryRun {
      let zones = try StoredData(of: account, in: container, session).zones
      let names = zones.isEmpty ? "there is none" : zones.map(\.zone.name.string).joined(separator: ", ")
      return try context.writeDryRun(
        document(account, container, zones),
        text: "purge the data of \(account.name, .bold) in \(container): \(names)")
    }
    try context.confirm("delete all that \(account.name) keeps in \(container)")
    let purged = try session.service.zones.purgeData(of: account.name, container: container)
    let names = purged.map(\.zone.name.string).joined(separator: ", ")
    try context.writeUnlessQuiet(
      document(account, container, purged),
      text:
        "purged the data of \(account.name, .bold) in \(container): \(purged.isEmpty ? "there was none" : "gone are \(names)")"
    )
  }

  private func document(_ account: Account, _ container: String, _ zones: [EnvironmentZone]) -> JSONObject {
    [
      "containerIdentifier": .string(container), "name": .string(account.name),
      "zones": .array(zones.map { .object($0.object) }),
    ]
  }
}

/// Options of `account add` and `account set` that describe an account.
struct AccountOptions: OptionGroup {
  let emails = OptionList<String>("email", "ADDRESS", help: "an e-mail address to invite the person by")
  let phones = OptionList<String>("phone", "NUMBER", help: "a phone number to invite the person by")
  let givenName = Option<String>("given-name", "NAME", help: "the person's given name")
  let familyName = Option<String>("family-name", "NAME", help: "the person's family name")
  let status = Option<AccountStatus>(
    "status", "STATUS", .values(AccountStatus.allCases, by: \.name),
    help: "what the account can do: available, restricted, noAccount, temporarilyUnavailable or couldNotDetermine")
  let storage = Option<AccountStorage>(
    "storage", "STORAGE", .cases,
    help: "available, or full: saves in the account's zones fail with quotaExceeded")

  var options: [any OptionDeclaration] { ofOnePerson + [status, storage] }
  /// The options that no two accounts have in common.
  var ofOnePerson: [any OptionDeclaration] { [emails, phones, givenName, familyName] }

  /// The changes that the options specify. An empty value removes the present one.
  func changes(_ context: CommandContext) -> AccountChanges {
    var changes = AccountChanges()
    changes.emails = context.valuesIfGiven(emails)?.filter { !$0.isEmpty }
    changes.phones = context.valuesIfGiven(phones)?.filter { !$0.isEmpty }
    changes.givenName = context[givenName]
    changes.familyName = context[familyName]
    changes.status = context[status]
    changes.storage = context[storage]
    return changes
  }
}

extension OptionalArgument<String> {
  /// The account that a command works on.
  static let account = OptionalArgument("name", completes: .account, help: "the account; else the one that acts")
}

extension CommandContext {
  /// The account with this name; without a name, the caller's account.
  func account(_ name: String?, of session: Session) throws -> Account {
    guard let name = name ?? session.caller.account else {
      throw CommandFailure.usage("no account acts", hint: "name one, or set LOCALCLOUD_ACCOUNT")
    }
    return try session.service.accounts.account(name)
  }
}
