import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

/// Options of `init` and `exec` for the contents of a new cloud.
struct CloudContents: OptionGroup {
  let people = OptionList<[String]>(
    "people", "NAMES", .names, help: "accounts to add, with commas between; the address of each is NAME@example.com")
  let schema = Option<String>("schema", "FILE", help: "a schema text for development, as for schema import")
  let records = Option<String>("seed-from", "FILE", help: "records to save, as for import: a file that export wrote")

  var options: [any OptionDeclaration] { [people, schema, records] }

  func names(_ context: CommandContext) -> [String] { context[people].flatMap { $0 } }

  /// Adds the accounts that are missing, then imports the schema and the records.
  func add(to settings: Settings, _ context: CommandContext) throws {
    let names = names(context)
    if !names.isEmpty {
      let accounts = try context.session(as: .administrator, settings: settings).service.accounts
      for name in names { try Self.add(name, to: accounts) }
    }
    if let path = context[schema] {
      let session = try context.session(settings: settings)
      let done = try session.service.schemas.importSchema(context.schemaText(of: path), by: session.caller)
      SchemaImportText.notices(done).forEach(context.output.notice)
    }
    if let path = context[records] {
      let tally = try ImportCommand().importFile(path, context, context.session(settings: settings))
      if let failure = tally.failure { throw failure }
    }
  }

  private static func add(_ name: String, to accounts: AccountService) throws(ServiceError) {
    var changes = AccountChanges()
    changes.emails = [name + "@example.com"]
    do {
      _ = try accounts.addAccount(name, changes)
    } catch {
      // It was there, or another process has added it in the meantime.
      guard (try? accounts.account(name)) != nil else { throw error }
    }
  }
}

extension ValueType<[String]> {
  /// Names with commas between.
  fileprivate static var names: ValueType {
    ValueType { text in
      let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
      return names.contains("") ? nil : names
    } reason: { _ in
      "has an empty name"
    }
  }
}
