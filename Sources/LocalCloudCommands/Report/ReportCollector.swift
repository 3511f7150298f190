import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Collects a report. Its requests do not count as requests of a device: no log has them, and no condition of a network
/// applies to them.
///
/// Without a viewer it reads the files of all zones, as an administrator does. With one, it lists the databases of that
/// account as its programs see them, with its keys.
struct ReportCollector {
  /// The parts of the cloud that a report shows.
  struct Selection {
    var container: String?
    var environment: CloudEnvironment?
    var scope: DatabaseScope?
    /// The largest number of records of a zone.
    var limit: Int
    /// The day of the report, for example `2026-11-28`: times of this day are shown without it.
    var today: String
  }

  let service: CloudService
  let selection: Selection
  /// The account that the report is for; nil: an administrator.
  let viewer: Caller?
  let people: People
  var report = Report()
  var budget = ReportBudget()
  /// The number of zones in the report.
  var shownZones = 0
  private(set) var failures: [(name: String, error: ServiceError)] = []
  private var anchors: [RecordKey: Int] = [:]
  /// The numbers of the shares in the report.
  var shareNumbers: [RecordKey: Int] = [:]

  /// A record in any database.
  struct RecordKey: Hashable {
    var container: String
    var environment: String
    var isPublic: Bool
    var record: RecordIdentifier
  }

  init(_ session: Session, viewer: Bool, _ selection: Selection) throws {
    let session = session.uncounted()
    service = session.service
    self.viewer = viewer ? session.caller : nil
    // A viewer that the cloud does not have is an error also if there is no database to list.
    if viewer { _ = try service.accounts.userRecordName(by: session.caller) }
    self.selection = selection
    people = try People(session)
    report.root = service.cloud.path
    report.viewer = self.viewer?.account
    report.selection = [
      selection.container.map { "container \($0)" }, selection.environment.map { "environment \($0.rawValue)" },
      selection.scope.map { "\($0.name) databases" },
    ].compactMap(\.self)
  }

  /// Reads the cloud. What can't be read is in ``failures`` and in the report's problems.
  mutating func collect() throws {
    try addPeople()
    let databases = try databases()
    // Records mention shares of any zone: all shares come first.
    let zones = try databases.map { database in
      try database.zones.compactMap { id in try zone(id, in: database).map { (id, $0) } }
    }
    for (database, zones) in zip(databases, zones) {
      report.databases.append(
        Report.Database(
          container: database.container, environment: database.environment, scope: database.scope.name,
          account: database.account,
          zones: zones.map { id, zone in self.zone(zone, id, withRecordsIn: database) }))
    }
    try addRequests()
  }

  /// The databases that the report shows. An administrator's report has each zone once, in its owner's database.
  private func databases() throws -> [DatabaseContents] {
    try service.checks.contents().filter { database in
      if let container = selection.container, container != database.container { return false }
      if let environment = selection.environment, environment.rawValue != database.environment { return false }
      if let scope = selection.scope, scope != database.scope { return false }
      guard let viewer else { return database.scope != .shared }
      return database.scope == .public || database.account == viewer.account
    }
  }

  // MARK: People

  private mutating func addPeople() throws {
    let (accounts, failures) = try service.accounts.listAccounts()
    for failure in failures { note(failure.name, failure.error) }
    report.people = accounts.prefix(ReportBudget.mostPeople).map { account in
      Report.Person(
        name: account.name, fullName: account.person.text.map { ReportBudget.beginning($0) },
        addresses: (account.emails + account.phones).prefix(4).map { ReportBudget.beginning($0) },
        status: account.status == .available ? nil : account.status.name, isStorageFull: account.storage == .full)
    }
    report.morePeople = accounts.count - report.people.count
    for device in try service.devices.list().prefix(ReportBudget.mostDevices) {
      let network = try service.devices.network(of: device.name).map { DeviceText.text($0) }
      report.devices.append(Report.Device(name: device.name, account: device.account, network: network))
    }
  }

  // MARK: Names and failures

  /// The number of a record, the same for each mention of it.
  mutating func anchor(_ key: RecordKey) -> Int {
    if let anchor = anchors[key] { return anchor }
    anchors[key] = anchors.count + 1
    return anchors.count
  }

  func key(_ record: RecordIdentifier, in database: DatabaseContents) -> RecordKey {
    RecordKey(
      container: database.container, environment: database.environment, isPublic: database.scope == .public,
      record: record)
  }

  /// Keeps a part that could not be read.
  mutating func note(_ name: String, _ error: ServiceError) {
    let text = ReportBudget.beginning("\(name): \(error.message)", ReportBudget.mostCharacters)
    // In an account's view a share is read twice: as a share and as a record.
    if report.problems.contains(text) { return }
    if failures.count < 1000 { failures.append((name, error)) }
    if report.problems.count < ReportBudget.mostProblems { report.problems.append(text) }
  }
}
