import LocalCloudModel
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Zones with their records.
extension ReportCollector {
  /// A zone without its records, after its shares were added to the report; nil if it is left out, or was deleted
  /// since.
  mutating func zone(_ zone: ZoneIdentifier, in database: DatabaseContents) throws -> Report.Zone? {
    if shownZones >= ReportBudget.mostZones {
      report.moreZones += 1
      return nil
    }
    shownZones += 1
    var result = Report.Zone(name: zone.name.string, owner: zone.owner.map { people.name(of: $0) })
    result.command = command(zone, in: database)
    budget.take(zone: result)
    do {
      result.total = try addShares(of: zone, in: database, to: &result)
    } catch let error as ServiceError {
      if [.zoneNotFound, .userDeletedZone].contains(error.code) { return nil }
      note("zone \(zone.name)", error)
    }
    return result
  }

  /// The zone with the records that fit, read page by page.
  mutating func zone(
    _ zone: Report.Zone, _ id: ZoneIdentifier, withRecordsIn database: DatabaseContents
  ) -> Report.Zone {
    var zone = zone
    if let total = zone.total, total == 0 || budget.isFull {
      zone.more = total
      return zone
    }
    var (failed, isFull, after): (Int, Bool, RecordPosition?) = (0, false, nil)
    do {
      repeat {
        let page = try page(
          of: id, in: database, after: after, limit: min(100, selection.limit - zone.records.count))
        for item in page.items where item.record.type != Record.shareType {
          isFull = zone.records.count >= selection.limit
          if isFull { break }
          let record = record(item, in: database)
          isFull = !budget.take(record: record)
          if isFull { break }
          zone.records.append(record)
        }
        for failure in page.failed { note("record \(failure.record.name)", failure.error) }
        failed += page.failed.count
        after = page.next
      } while after != nil && !isFull && zone.records.count < selection.limit
    } catch {
      note("zone \(id.name)", error)
    }
    if let total = zone.total {
      zone.more = max(0, total - zone.records.count - failed)
    } else {
      zone.more = isFull || after != nil ? nil : 0
    }
    return zone
  }

  /// One page of a zone's records, as the viewer sees them. `limit`: its size in the view of an administrator.
  func page(
    of zone: ZoneIdentifier, in database: DatabaseContents, type: String? = nil, after: RecordPosition?,
    limit: Int = 100
  ) throws(ServiceError) -> FiledRecords {
    guard var viewer, let environment = CloudEnvironment(rawValue: database.environment) else {
      return try service.checks.records(of: zone.name, in: database, type: type, after: after, limit: limit)
    }
    (viewer.container, viewer.environment) = (database.container, environment)
    var request = ListRecordsRequest(scope: database.scope, zone: zone, type: type, withAssets: true)
    request.after = after
    let page = try service.records.listRecords(request, by: viewer)
    var result = FiledRecords()
    result.items = page.records.map { FiledRecords.Item($0, share: $0.share) }
    (result.failed, result.next) = (page.failed, page.next)
    return result
  }

  private func command(_ zone: ZoneIdentifier, in database: DatabaseContents) -> String {
    var words = ["localcloud", "record", "list", "--container", database.container]
    if database.environment != CloudEnvironment.development.rawValue {
      words += ["--environment", database.environment]
    }
    if let account = database.account ?? viewer?.account { words += ["--account", account] }
    if database.scope != .private { words += ["--database", database.scope.name] }
    if zone.name != ZoneIdentifier.defaultName { words += ["--zone", zone.name.string] }
    if let owner = zone.owner { words += ["--owner", people.name(of: owner)] }
    return words.map(ShellText.word).joined(separator: " ")
  }

  // MARK: Records

  private mutating func record(_ item: FiledRecords.Item, in database: DatabaseContents) -> Report.Record {
    let record = item.record
    var result = Report.Record(
      anchor: anchor(key(record.id, in: database)), type: record.type, name: record.id.name.string)
    result.parent = record.parent.map {
      reference(RecordIdentifier(name: $0, zone: record.id.zone), in: database)
    }
    let zoneWide = RecordIdentifier(name: Record.zoneWideShareName, zone: record.id.zone)
    let share = item.share.map { RecordIdentifier(name: $0, zone: record.id.zone) } ?? zoneWide
    result.share = shareNumbers[key(share, in: database)]
    result.isShared = item.share != nil || result.share != nil
    result.changed = Self.time(record.modified.timestamp)
    result.changedBy = people.name(of: record.modified.userRecordName)
    var fields = record.fields.map { field($0.key, $0.value, of: record, in: database) }
    fields += record.encryptedFields.map { name, value in
      var field = field(name, value, of: record, in: database)
      field.isEncrypted = true
      return field
    }
    fields += item.sealed.map { name, type in
      Report.Field(name: name, type: type.lowercased(), isEncrypted: true, value: .closed)
    }
    result.fields = Array(fields.sorted { $0.name < $1.name }.prefix(ReportBudget.mostFields))
    return result
  }

  private mutating func field(
    _ name: String, _ value: FieldValue, of record: Record, in database: DatabaseContents
  ) -> Report.Field {
    let type = value.suffix.isEmpty ? "string" : String(value.suffix.dropFirst())
    return Report.Field(name: name, type: type, value: self.value(value, of: record, in: database))
  }

  private mutating func value(
    _ value: FieldValue, of record: Record, in database: DatabaseContents
  ) -> Report.Value {
    switch value {
    case .reference(let target):
      let zone = target.zone.map { zone in
        [nil, ZoneIdentifier.currentUser].contains(zone.owner)
          ? ZoneIdentifier(name: zone.name, owner: record.id.zone.owner) : zone
      }
      let identifier = RecordIdentifier(name: target.record, zone: zone ?? record.id.zone)
      return .reference(reference(identifier, in: database))
    case .asset(let asset): return self.asset(asset)
    case .list(_, let elements):
      let shown = elements.prefix(ReportBudget.mostElements)
      return .list(shown.map { self.value($0, of: record, in: database) }, more: elements.count - shown.count)
    default: return Self.cut(value.text)
    }
  }

  /// A text, or its beginning if it is long.
  private static func cut(_ text: String) -> Report.Value {
    guard let start = ReportBudget.start(text, ReportBudget.mostCharacters) else { return .text(text) }
    return .cut(start, length: text.unicodeScalars.count)
  }

  mutating func reference(_ record: RecordIdentifier, in database: DatabaseContents) -> Report.Reference {
    Report.Reference(name: record.name.string, anchor: anchor(key(record, in: database)))
  }

  /// An image if it is one and fits; else its size and name. Bytes that can't be read are no image.
  private mutating func asset(_ asset: AssetValue) -> Report.Value {
    guard let name = asset.name else { return .asset("asset") }
    let label = "\(name.size.counted("byte")), \(name)"
    guard name.size <= ReportBudget.imageSize else { return .asset(label) }
    var bytes: [UInt8] = []
    do { try asset.read { bytes += $0 } } catch { return .asset("\(label): \(error.message)") }
    guard let type = ImageType(bytes), case let base64 = bytes.base64Text, budget.take(image: base64.utf8.count) else {
      return .asset(label)
    }
    return .image(type, base64: base64, label: name.size.counted("byte"))
  }

  /// `2026-01-31 12:00:00`
  static func time(_ milliseconds: Int64) -> String {
    String(Timestamp.text(milliseconds: milliseconds).prefix(19)).replacing("T", with: " ")
  }
}
