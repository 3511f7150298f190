import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage

struct AccountAddRoleCommand: Command {
  static let description = CommandDescription(
    "account", "add-role", summary: "Add an account to a role of the schema",
    discussion: """
      CREATE ROLE in a schema creates a role. Its members have the permissions that the GRANT lines give to the role \
      in the public database, besides the permissions of every user. In iCloud, the console adds users to roles. A \
      membership holds for the acting container and environment. An import without the role removes its members.
      """,
    examples: [
      .init("What the schema grants to Editors", "localcloud account add-role bob Editors"),
      .init("In production", "localcloud account add-role bob Editors --environment production"),
    ],
    exitCodes: [.failure, .noStore, .notFound])

  let name = Argument<String>.account
  let role = Argument<String>.role

  var arguments: [any ArgumentDeclaration] { [name, role] }

  func run(_ context: CommandContext) throws { try context.setMembership(of: name, in: role, true) }
}

struct AccountRemoveRoleCommand: Command {
  static let description = CommandDescription(
    "account", "remove-role", summary: "Remove an account from a role of the schema",
    discussion: "The account keeps its other roles, and its membership in other containers and environments.",
    examples: [.init("Bob loses the permissions of Editors", "localcloud account remove-role bob Editors")],
    exitCodes: [.failure, .noStore, .notFound])

  let name = Argument<String>.account
  let role = Argument<String>.role

  var arguments: [any ArgumentDeclaration] { [name, role] }

  func run(_ context: CommandContext) throws { try context.setMembership(of: name, in: role, false) }
}

extension Argument<String> {
  fileprivate static let role = Argument("role", completes: .role, help: "the role, as CREATE ROLE names it")
}

extension CommandContext {
  fileprivate func setMembership(of name: Argument<String>, in role: Argument<String>, _ isMember: Bool) throws {
    let session = try session(as: .administrator)
    let (caller, role) = (session.caller, self[role])
    let account = try session.service.accounts.setMembership(of: self[name], in: role, isMember, by: caller)
    let (verb, preposition) = isMember ? ("added", "to") : ("removed", "from")
    try writeUnlessQuiet(
      [
        "account": .string(account.name), "container": .string(caller.container),
        "environment": .string(caller.environment.rawValue),
        "roles": .array(account[rolesIn: caller].sorted().map { .string($0) }),
      ],
      text: """
        \(verb) \(account.name, .bold) \(preposition) the role \(role) in \(caller.container), \
        \(caller.environment.rawValue)
        """)
  }
}
