import LocalCloudModel

/// Options of cktool's verbs ([schema-tool-1]). `--account` selects the caller, not a token.
enum CktoolOptions {
  /// Accepted because scripts pass it; its value is ignored.
  static let token = OptionDescription.value(
    "token", "TOKEN", short: "t", help: "not looked at: --account says who acts")
  static let team = OptionDescription.value("team-id", "ID", help: "not looked at: there are no teams here")
  static let access = [token, team]

  static let recordType = OptionDescription.value(
    "record-type", "TYPE", required: true, help: "the type of the records")
  static let filters = OptionDescription.values(
    "filters", "FILTER", help: "\"FIELD OPERATOR VALUE\", all of which must hold; see localcloud help filters")
  static let file = OptionDescription.value(
    "file", "FILE", required: true, help: "the schema text, or - for standard input")

  /// The options that specify where records are.
  static let recordAccess = ["container-id", "environment", "database-type"]
  static let schemaAccess = ["container-id", "environment"]

  /// The note at the end of each verb's help.
  static let note = """
    The verb, its options and what it prints are cktool's: a script's "xcrun cktool" becomes "localcloud cktool". Exit codes \
    are localcloud's own.
    """
}

extension CommandContext {
  /// The zone that cktool's options specify; `_defaultZone` if they name none.
  func toolTarget() throws -> ZoneTarget {
    try zoneTarget(named: string("zone") ?? ZoneIdentifier.defaultName.string)
  }

  func toolCondition() throws -> QueryCondition {
    QueryCondition(try all("filters").map { try FilterText.filter($0, toolOnly: true) })
  }
}
