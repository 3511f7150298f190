import LocalCloudModel

/// The people of a cloud with their devices, and what each of them has, shares and has joined.
extension ReportPage {
  var people: HTML {
    let lead: HTML = "<p class=\"lead\">Who is in this cloud, on which devices, and what each of them has.</p>\n"
    var section: HTML = "<section id=\"people\">\n<h2>People</h2>\n\(lead)"
    if report.people.isEmpty {
      return section + """
        <p class="empty">No accounts. <code>localcloud account add NAME</code> adds one.</p>
        </section>

        """
    }
    section += "<div class=\"people\">\n\(report.people.map(card))</div>\n"
    if report.morePeople > 0 {
      section += "<p class=\"more\">\(report.morePeople) more: <code>localcloud account list</code></p>\n"
    }
    let unused = report.devices.filter { device in !report.people.contains { $0.name == device.account } }
    if !unused.isEmpty {
      section += "<p class=\"zones card\">Nobody is signed in on \(unused.map { device($0) + " " })</p>\n"
    }
    return section + "</section>\n"
  }

  private func card(_ person: Report.Person) -> HTML {
    var card: HTML = """
      <article class="card person \(color(person.name))">
      <div class="top"><span class="face" aria-hidden="true">\(Self.initial(person.name))</span>
      <div><h4>\(person.name)</h4>
      """
    if let fullName = person.fullName, fullName != person.name { card += "<div>\(fullName)</div>" }
    if !person.addresses.isEmpty {
      card += "<div class=\"soft small\">\(person.addresses.joined(separator: ", "))</div>"
    }
    card += "</div></div>\n"
    let status: HTML = person.status.map { "<span class=\"chip bad\">account \($0)</span> " } ?? ""
    let storage: HTML = person.isStorageFull ? "<span class=\"chip bad\">storage full</span>" : ""
    if !status.isEmpty || !storage.isEmpty { card += "<p class=\"state\">\(status)\(storage)</p>\n" }
    card += "<dl>\n"
    let devices = report.devices.filter { $0.account == person.name }
    card += row("Devices", devices.isEmpty ? "<span class=\"soft\">none</span>" : "\(devices.map { device($0) + " " })")
    let own = report.databases.filter { $0.scope == DatabaseScope.private.name && $0.account == person.name }
    let filled = own.flatMap(\.zones).filter { $0.count > 0 }
    let zones = filled.prefix(6).map(\.name).joined(separator: ", ") + (filled.count > 6 ? ", …" : "")
    let count = filled.reduce(0) { $0 + $1.count }
    let has: HTML = "\(Self.counted(count, "record"))\(report.moreZones > 0 ? " or more" : "")"
    card += row("Has", zones.isEmpty ? has : "\(has) <span class=\"soft\">in \(zones)</span>")
    card += sharing(person)
    return card + "</dl>\n</article>\n"
  }

  private func sharing(_ person: Report.Person) -> HTML {
    var rows: HTML = ""
    let own = report.shares.enumerated().filter { $1.owner == person.name }
    if !own.isEmpty { rows += row("Shares", list(own) { "\(Self.name(of: $0)) → \(people(of: $0))" }) }
    func entry(_ share: Report.Share) -> Report.Participant? { share.participants.first { $0.name == person.name } }
    let joined = report.shares.enumerated().filter { entry($1)?.acceptance == .accepted }
    if !joined.isEmpty {
      rows += row(
        "Joined",
        list(joined) { share in
          let permission = entry(share)?.permission.verb ?? ""
          return "\(Self.name(of: share)) of \(who(share.owner)) <span class=\"soft\">\(permission)</span>"
        })
    }
    let invited = report.shares.enumerated().filter { entry($1)?.acceptance == .pending }
    if !invited.isEmpty { rows += row("Invited", list(invited) { "\(Self.name(of: $0)) of \(who($0.owner))" }) }
    return rows
  }

  private func people(of share: Report.Share) -> HTML {
    let present = share.participants.filter { $0.acceptance != .removed }.map(\.name)
    if !present.isEmpty { return names(present, most: 4) }
    return share.publicAccess == nil ? "<span class=\"soft\">nobody yet</span>" : "<span class=\"soft\">the link</span>"
  }

  /// Shares with links to their rows, one a line.
  private func list(
    _ shares: [(offset: Int, element: Report.Share)], _ text: (Report.Share) -> HTML
  ) -> HTML {
    let more: HTML = shares.count > 6 ? "<div class=\"soft\">and \(shares.count - 6) more</div>" : ""
    return "\(shares.prefix(6).map { "<div>\(text($0.element))</div>" as HTML })\(more)"
  }

  private func row(_ title: String, _ value: HTML) -> HTML { "<dt>\(title)</dt><dd>\(value)</dd>\n" }

  private func device(_ device: Report.Device) -> HTML {
    guard let network = device.network else { return "<span class=\"chip good\">\(device.name)</span>" }
    return "<span class=\"chip warn\">\(device.name): \(network)</span>"
  }

  /// The first letter of a name, as the picture of a person.
  static func initial(_ name: String) -> String { name.first.map { $0.uppercased() } ?? "?" }

  /// The title of a share; without one, its root or its zone.
  static func name(of share: Report.Share) -> String {
    share.title.flatMap { $0.isEmpty ? nil : $0 } ?? share.root?.name ?? "zone \(share.zone)"
  }
}
