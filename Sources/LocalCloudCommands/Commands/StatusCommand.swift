import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

struct StatusCommand: Command {
  static let description = CommandDescription(
    "status", summary: "Show the settings in force, where each comes from, and what the cloud holds",
    examples: [
      .init("Who am I, and where", "localcloud status"),
      .init("The root alone", "localcloud status --json | jq -r .settings.root.value"),
    ],
    exitCodes: [.noStore, .unknownFormat, .storage])

  func run(_ context: CommandContext) throws {
    let settings = try context.settings()
    let session: Session
    do {
      session = try context.session()
    } catch {
      // The settings show the path of the expected cloud, and the source of that path.
      let table = table(settings)
      try context.writeResult(["settings": .object(document(settings))], table: table, text: table.aligned())
      throw error
    }
    let service = session.service
    let (accounts, failures) = try service.accounts.listAccounts()
    let databases = try service.checks.contents()
    var inForce = session.settings
    if inForce.device.value == nil { inForce.device.value = inForce.account.value.map(Account.defaultDevice) }
    let clock = ClockText(try service.clock.setting())
    let network = try session.settings.deviceName.flatMap { try service.devices.network(of: $0) }
    var document: JSONObject = [
      "clock": .object(clock.document), "cloud": .object(service.cloud.properties),
      "databases": .array(databases.map { .object($0.object) }),
      "network": .object(DeviceText.document(network)),
      "settings": .object(self.document(inForce)),
    ]
    // If no account can be read, it is unknown whether there are any.
    let isUnknown = accounts.isEmpty && !failures.isEmpty
    if !isUnknown { document["accounts"] = .array(accounts.map { .object($0.object) }) }
    try context.writeResult(
      document, table: table(inForce),
      text: text(
        inForce, network, clock, isUnknown ? nil : accounts, databases, width: context.output.tableWidth))
    if let failure = CommandFailure(failures, of: accounts.count + failures.count, "accounts") { throw failure }
  }

  private func document(_ settings: Settings) -> JSONObject {
    var result = JSONObject()
    for entry in settings.entries {
      result[entry.variable.jsonName] = [
        "origin": .string(entry.source.rawValue), "value": entry.text.map { .string($0) } ?? .null,
        "variable": .string(entry.variable.rawValue),
      ]
    }
    return result
  }

  private func table(_ settings: Settings) -> Table {
    Table(
      ["setting", "value", "from"],
      rows: settings.entries.map { entry in
        [entry.variable.name, entry.text ?? "-", from(entry)]
      })
  }

  private func from(_ entry: Settings.Entry) -> String {
    switch entry.source {
    case .option: "option"
    case .variable: entry.variable.rawValue
    case .folder: "folder above this one"
    case .device: "device"
    case .standard: "default"
    }
  }

  private func text(
    _ settings: Settings, _ network: NetworkCondition?, _ clock: ClockText, _ accounts: [Account]?,
    _ databases: [DatabaseContents], width: Int?
  ) -> StyledText {
    // Paths are not cut: a cut path names no folder.
    var text = table(settings).aligned()
    if network != nil {
      text.append("\nthe device is not online: \(DeviceText.text(network)); see \"device network\"\n" as StyledText)
    }
    if clock.isSet { text.append("\nthe cloud's clock: \(clock.text); see \"clock\"\n" as StyledText) }
    if let accounts {
      text.append("\n" + (accounts.isEmpty ? "no accounts\n" : AccountText.table(accounts).aligned(width: width)))
    }
    guard !databases.isEmpty else { return text + "\nno containers\n" }
    let names = Dictionary(
      (accounts ?? []).map { ($0.userRecordName, $0.name) }, uniquingKeysWith: { first, _ in first })
    let rows = databases.map { database in
      let zones = database.zones.map { zone in
        zone.name.string + (zone.owner.map { " of \(names[$0] ?? $0)" } ?? "")
      }
      return [
        database.container, database.environment, database.scope.name, database.account ?? "-",
        zones.joined(separator: ", "),
      ]
    }
    return text + "\n"
      + Table(["container", "environment", "database", "account", "zones"], rows: rows).aligned(width: width)
  }
}

extension Settings.Variable {
  /// The variable's name in JSON, for example `lockTimeout`.
  fileprivate var jsonName: String { "\(self)" }
}

extension DatabaseContents {
  fileprivate var object: JSONObject {
    [
      "account": account.map { .string($0) } ?? .null, "container": .string(container),
      "database": .string(scope.name), "environment": .string(environment),
      "zones": .array(zones.map { .object($0.object) }),
    ]
  }
}
