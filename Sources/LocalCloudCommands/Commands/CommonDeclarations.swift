/// Arguments that several commands have in common.
extension Argument<String> {
  static let account = Argument("name", completes: .account, help: "the account")
  static let device = Argument(
    "device", completes: .device, help: "the device; an account's own one is ACCOUNT-device")
  static let objectStore = Argument(
    "store", completes: .folder, help: "the store's folder, such as private.sqlite")
  static let recordType = Argument("type", help: "the record type")
  static let schemaText = Argument(
    "file", completes: .file, help: "the schema text, or - for standard input")
  static let snapshot = Argument("name", completes: .snapshot, help: "the snapshot's name")
  static let shareLink = Argument("link", help: "the share's link")
}

extension Flag {
  /// For commands with ``CommandDescription/deletesData``.
  static let dryRun = Flag("dry-run", help: "say what would be deleted, and change nothing; no permission is checked")
}

/// Options that select records and their fields.
enum QueryOptions {
  static let type = Option<String>("type", "TYPE", help: "only records of this type")
  static let requestedFields = OptionList<String>(
    "requested-fields", "FIELD", aliases: ["keys"], takesSeveral: true, help: "these fields only")

  static let filters = OptionList<String>(
    "filter", "FILTER", short: "f", help: "\"FIELD OPERATOR VALUE\"; see localcloud help filters")

  /// - Parameter most: the largest number that is allowed.
  static func limit(_ help: String = "at most so many", to most: Int = .max) -> Option<Int> {
    Option("limit", "COUNT", .wholeNumber(in: 1...most), help: help)
  }
}

/// A command on a share that its argument and its options name.
protocol ShareCommand: Command {
  var share: ShareChoice { get }
}

extension ShareCommand {
  var arguments: [any ArgumentDeclaration] { [share.share] }
  var options: [any OptionDeclaration] { share.options }
}
