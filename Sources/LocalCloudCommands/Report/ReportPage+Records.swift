import LocalCloudModel

/// The containers, databases and zones of a cloud, with their records.
extension ReportPage {
  var records: HTML {
    let lead: HTML = """
      <p class="lead">Containers, databases and zones, with their records. References are links.</p>

      """
    var section: HTML = "<section id=\"records\">\n<h2>Records</h2>\n\(lead)"
    if report.databases.isEmpty { section += "<p class=\"empty\">No container has any data.</p>\n" }
    var last: (String, String)?
    for database in report.databases {
      let container = (database.container, database.environment)
      if last.map({ $0 != container }) ?? true {
        section += "<h3><code>\(container.0)</code> <span class=\"chip\">\(container.1)</span></h3>\n"
      }
      last = container
      let quiet = database.zones.filter { $0.total == 0 && $0.records.isEmpty && $0.sharedWith.isEmpty }
      for zone in database.zones where !quiet.contains(zone) { section += self.zone(zone, in: database) }
      if !quiet.isEmpty {
        let names = quiet.prefix(20).map { name(of: $0, in: database) + " " }
        let more: HTML = quiet.count > 20 ? "and \(quiet.count - 20) more" : ""
        section += "<p class=\"zones card\">Empty: \(title(of: database)) \(names)\(more)</p>\n"
      }
    }
    if report.moreZones > 0 {
      let zones = Self.counted(report.moreZones, "more zone")
      section += "<p class=\"zones card\">\(zones): <code>localcloud status</code></p>\n"
    }
    return section + "</section>\n"
  }

  private func title(of database: Report.Database) -> HTML {
    guard let account = database.account else { return "<span class=\"soft\">public database</span>" }
    return "<span class=\"soft\">\(database.scope) database of</span> \(who(account))"
  }

  private func name(of zone: Report.Zone, in database: Report.Database) -> HTML {
    let name: HTML = zone.name == ZoneIdentifier.defaultName.string ? "default zone" : "\(zone.name)"
    return zone.owner.map { "<b>\(name)</b> <span class=\"soft\">of</span> \(who($0))" } ?? "<b>\(name)</b>"
  }

  private func zone(_ zone: Report.Zone, in database: Report.Database) -> HTML {
    var html: HTML = """
      <details class="card zone" open><summary>\(name(of: zone, in: database)) \(title(of: database))
      <span class="soft">\(Self.counted(zone.count, "record"))</span>
      """
    if !zone.sharedWith.isEmpty { html += "<span class=\"soft\">shared with</span> \(names(zone.sharedWith))" }
    html += "</summary>\n"
    var rest = zone.records[...]
    while let first = rest.first {
      let group = rest.prefix { $0.type == first.type }
      rest = rest.dropFirst(group.count)
      html += table(Array(group))
    }
    if zone.more != 0 {
      let number = zone.more.map { Self.counted($0, "more record") } ?? "More records"
      html += "<p class=\"more\">\(number): <code>\(zone.command)</code></p>\n"
    }
    return html + "</details>\n"
  }

  /// The largest number of columns for fields.
  private static let mostColumns = 24

  /// The records of one type, with one column for each field.
  private func table(_ records: [Report.Record]) -> HTML {
    var types: [String: (type: String, isEncrypted: Bool)] = [:]
    for field in records.lazy.flatMap(\.fields) where types[field.name] == nil {
      types[field.name] = (field.type, field.isEncrypted)
    }
    let columns = types.keys.sorted().prefix(Self.mostColumns)
    let head = columns.map { column -> HTML in
      let type = types[column]
      let mark: HTML = type?.isEncrypted == true ? ", encrypted" : ""
      return "<th>\(column)<br><small>\(type?.type ?? "")\(mark)</small></th>"
    }
    let hasParents = records.contains { $0.parent != nil }
    let isShared = records.contains { $0.isShared }
    let parent: HTML = hasParents ? "<th>parent</th>" : ""
    let share: HTML = isShared ? "<th>share</th>" : ""
    let rows = records.map { record -> HTML in
      let values = Dictionary(record.fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      let cells = columns.map { column -> HTML in
        "<td>\(values[column].map { value($0.value) } ?? "")</td>"
      }
      let parent: HTML = hasParents ? "<td>\(record.parent.map(reference) ?? "")</td>" : ""
      let share: HTML = isShared ? "<td>\(self.share(of: record))</td>" : ""
      return """
        <tr id="r\(record.anchor)"><th><code>\(record.name)</code></th>\(cells)\(parent)\(share)\
        <td class="soft small nowrap">\(record.changed)<br>\(who(record.changedBy))</td></tr>

        """
    }
    let note: HTML =
      types.count > columns.count
      ? " <span class=\"soft\">with more fields: <code>localcloud record get</code></span>" : ""
    return """
      <div class="type"><b>\(records[0].type)</b> <span class="soft">\(records.count)</span>\(note)</div>
      <div class="scroll"><table class="records">
      <thead><tr><th>record</th>\(head)\(parent)\(share)<th>changed</th></tr></thead>
      <tbody>
      \(rows)</tbody></table></div>

      """
  }

  private func share(of record: Report.Record) -> HTML {
    guard let index = record.share else { return record.isShared ? "<span class=\"chip\">shared</span>" : "" }
    let name = ReportBudget.beginning(Self.name(of: report.shares[index]), 40)
    return "<a class=\"chip\" href=\"#s\(index)\">\(name)</a>"
  }

  private func value(_ value: Report.Value) -> HTML {
    switch value {
    case .text(let text): "<span class=\"value\">\(text)</span>"
    case .cut(let text, let length):
      "<span class=\"value\">\(text)…</span> <span class=\"soft small\">\(Self.number(length)) characters</span>"
    case .closed: "<span class=\"chip\">encrypted</span>"
    case .reference(let target): reference(target)
    case .image(let type, let base64, let label):
      "<img alt=\"\(label)\" src=\"data:\(type.rawValue);base64,\(base64)\"><span class=\"soft small\">\(label)</span>"
    case .asset(let label): "<span class=\"chip\">\(label)</span>"
    case .list(let elements, let more):
      list(elements, more)
    }
  }

  private func list(_ elements: [Report.Value], _ more: Int) -> HTML {
    let items = elements.map { "<li>\(value($0))</li>" as HTML }
    let rest: HTML = more > 0 ? "<li class=\"soft\">and \(more) more</li>" : ""
    return "<ul class=\"list\">\(items)\(rest)</ul>"
  }
}
