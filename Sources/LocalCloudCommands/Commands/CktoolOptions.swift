import LocalCloudModel

/// Options of cktool's verbs that are accepted because scripts pass them; their values are ignored ([schema-tool-1]).
/// `--account` selects the caller, not a token.
struct CktoolAccess: OptionGroup {
  let token = CktoolAccess.token
  let team = Option<String>("team-id", "ID", help: "not looked at: there are no teams here")

  static let token = Option<String>("token", "TOKEN", short: "t", help: "not looked at: --account says who acts")

  var options: [any OptionDeclaration] { [token, team] }
}

/// Options that several of cktool's verbs have in common.
enum CktoolOptions {
  static let recordType = RequiredOption<String>("record-type", "TYPE", help: "the type of the records")
  static let filters = OptionList<String>(
    "filters", "FILTER", takesSeveral: true,
    help: "\"FIELD OPERATOR VALUE\", all of which must hold; see localcloud help filters")
  static let file = RequiredOption<String>(
    "file", "FILE", completes: .file, help: "the schema text, or - for standard input")

  /// The options that specify the database with the records.
  static let recordAccess = schemaAccess + [GlobalOptions.database.required(as: "database-type")]
  static let schemaAccess = [container, GlobalOptions.environment.required(as: "environment")]
  static let container = GlobalOptions.container.required(as: "container-id")

  /// The note at the end of each verb's help.
  static let note = """
    A script's "xcrun cktool" becomes "localcloud cktool". Exit codes, --account and the other global options are \
    localcloud's own: see "localcloud help".
    """

  static func condition(_ filters: [String]) throws -> QueryCondition {
    QueryCondition(try filters.map { try FilterText.filter($0, toolOnly: true) })
  }
}

extension ZoneOptions {
  /// The zone that cktool's options specify; `_defaultZone` if they name none.
  func toolTarget(_ context: CommandContext) throws -> ZoneTarget {
    try context.zoneTarget(named: context[zone] ?? ZoneIdentifier.defaultName.string, owner: context[owner])
  }
}
