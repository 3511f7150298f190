import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Shares and requests.
extension ReportCollector {
  /// Adds a zone's shares to the report. Returns the number of the zone's other records; nil if it is not known.
  mutating func addShares(
    of zone: ZoneIdentifier, in database: DatabaseContents, to result: inout Report.Zone
  ) throws -> Int? {
    var after: RecordPosition?
    var counts: (records: Int, shares: Int)?
    var found = 0
    repeat {
      let page = try page(of: zone, in: database, type: Record.shareType, after: after)
      counts = counts ?? page.counts
      for item in page.items {
        found += 1
        guard report.shares.count < ReportBudget.mostShares else {
          report.moreShares += 1
          continue
        }
        let share = share(item.record, in: database)
        shareNumbers[key(item.record.id, in: database)] = report.shares.count
        report.shares.append(share)
        if item.record.id.name == Record.zoneWideShareName {
          result.sharedWith = share.participants.filter { $0.acceptance != .removed }.map(\.name)
        }
      }
      for failure in page.failed { note("share \(failure.record.name)", failure.error) }
      found += page.failed.count
      after = page.next
    } while after != nil && report.moreShares == 0
    if let counts { report.moreShares += max(0, counts.shares - found) }
    return counts?.records
  }

  private mutating func share(_ record: Record, in database: DatabaseContents) -> Report.Share {
    let details = record.shareDetails ?? ShareDetails()
    let text = ShareText(people: people)
    let owner = details.participants.first { $0.role == .owner }?.identity
    var share = Report.Share(
      title: record.fields["cloudkit.title"].map { ReportBudget.beginning($0.text) },
      container: database.container, environment: database.environment, zone: record.id.zone.name.string,
      owner: owner.map { ReportBudget.beginning(text.name(of: $0)) } ?? people.name(of: record.id.zone.owner))
    share.root = details.root.map {
      reference(RecordIdentifier(name: $0, zone: record.id.zone), in: database)
    }
    share.link = details.url
    share.publicAccess = ShareText.publicAccess(details)
    let others = details.participants.filter { $0.role != .owner }
    share.participants = others.prefix(ReportBudget.mostParticipants).map { participant($0, details, text) }
    share.moreParticipants = others.count - share.participants.count
    share.requesters = details.accessRequests.requesters.prefix(ReportBudget.mostParticipants).map {
      ReportBudget.beginning(text.name(of: $0))
    }
    share.blocked = details.accessRequests.blocked.prefix(ReportBudget.mostParticipants).map {
      ReportBudget.beginning(text.name(of: $0))
    }
    return share
  }

  private func participant(
    _ participant: Participant, _ details: ShareDetails, _ text: ShareText
  ) -> Report.Participant {
    let permission =
      participant.permission.number >= details.publicPermission.number
      ? participant.permission : details.publicPermission
    return Report.Participant(
      name: ShareText.placeholder(participant) ?? ReportBudget.beginning(text.name(of: participant)),
      role: participant.role == .privateUser ? "" : participant.role.text,
      permission: permission, acceptance: participant.acceptance)
  }

  // MARK: Requests

  /// Adds the last lines of the log of requests. Equal requests that follow each other are one.
  mutating func addRequests() throws {
    var reader = RequestLogReader(of: service.cloud)
    var requests: [Report.Request] = []
    var earlier = 0
    try reader.forEachNewLine { line in
      guard let request = request(LoggedRequest(line)) else { return }
      if let last = requests.last, last.isSame(as: request) {
        requests[requests.count - 1].times += 1
        return
      }
      requests.append(request)
      if requests.count > ReportBudget.mostRequests { earlier += requests.removeFirst().times }
    }
    report.requests = reader.isMissing ? nil : requests
    report.earlierRequests = earlier
  }

  /// Nil for a request that the report leaves out.
  private func request(_ logged: LoggedRequest) -> Report.Request? {
    if let account = viewer?.account, logged["account"] != account { return nil }
    guard logged.has("containerIdentifier", selection.container),
      logged.has("environment", selection.environment?.rawValue), logged.has("database", selection.scope?.name)
    else { return nil }
    let all = logged.cells
    let cells = all.map { ReportBudget.beginning($0) }
    let (day, time) = (cells[0].prefix(10), cells[0].dropFirst(11).prefix(12))
    return Report.Request(
      time: day == selection.today ? String(time) : "\(day) \(time)",
      device: cells[2].isEmpty ? "no account" : cells[2], account: cells[1].isEmpty ? nil : cells[1],
      request: cells[4], database: cells[5], items: cells[6], program: cells[3],
      error: logged.isFailed ? ReportBudget.beginning(all[8], ReportBudget.mostCharacters) : nil)
  }
}

extension Report.Request {
  /// Whether both differ only in their times.
  fileprivate func isSame(as other: Report.Request) -> Bool {
    var other = other
    (other.time, other.times) = (time, times)
    return self == other
  }
}
