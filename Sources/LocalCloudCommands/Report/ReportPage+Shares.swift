/// The shares of a cloud: a drawing, and a table with the details.
extension ReportPage {
  var shares: HTML {
    let lead: HTML = "<p class=\"lead\">Who shares what with whom.</p>\n"
    var section: HTML = "<section id=\"shares\">\n<h2>Shares</h2>\n\(lead)"
    if report.shares.isEmpty { return section + "<p class=\"empty\">Nothing is shared.</p>\n</section>\n" }
    section += "<div class=\"card graph\"><div class=\"scroll\">\n\(ShareGraph(self).svg)</div>\n\(Self.key)</div>\n"
    section += """
      <div class="card scroll below"><table>
      <thead><tr><th>Share</th><th>Owner</th><th>Of</th><th>People</th><th>Link</th></tr></thead>
      <tbody>
      \(report.shares.enumerated().map { row($1, $0) })</tbody></table></div>

      """
    if report.moreShares > 0 {
      section += "<p class=\"more\">and \(report.moreShares) more: <code>localcloud share list</code></p>\n"
    }
    return section + "</section>\n"
  }

  private static let key: HTML = """
    <p class="key"><span><i class="writes"></i>reads and writes</span><span><i></i>only reads</span>
    <span><i class="invited"></i>invited, has not accepted</span>
    <span><i class="removed"></i>removed or has left</span></p>

    """

  private func row(_ share: Report.Share, _ index: Int) -> HTML {
    let root: HTML =
      share.root.map { "record \(reference($0)) in <code>\(share.zone)</code>" } ?? "all of <code>\(share.zone)</code>"
    var people = share.participants.map { participant -> HTML in
      "<div>\(who(participant.name)) \(chips(participant))</div>"
    }
    if share.moreParticipants > 0 { people.append("<div class=\"soft\">and \(share.moreParticipants) more</div>") }
    if let access = share.publicAccess { people.append("<div class=\"soft\">\(access)</div>") }
    if !share.requesters.isEmpty {
      people.append("<div>\(names(share.requesters)) <span class=\"chip warn\">asks for access</span></div>")
    }
    if !share.blocked.isEmpty {
      people.append("<div>\(names(share.blocked)) <span class=\"chip bad\">blocked</span></div>")
    }
    return """
      <tr id="s\(index)"><th>\(Self.name(of: share))</th><td>\(who(share.owner))</td>
      <td>\(root)<div class="soft small">\(share.container), \(share.environment)</div></td>
      <td>\(people)</td><td class="small"><code>\(share.link ?? "")</code></td></tr>

      """
  }

  private func chips(_ participant: Report.Participant) -> HTML {
    let acceptance: HTML =
      switch participant.acceptance {
      case .accepted: ""
      case .pending: " <span class=\"chip warn\">invited</span>"
      case .removed: " <span class=\"chip\">removed</span>"
      case .unknown: " <span class=\"chip\">unknown</span>"
      }
    let kind: HTML =
      switch participant.permission {
      case .readWrite: " good"
      case .readOnly: ""
      case .none, .unknown: " bad"
      }
    let role: HTML = participant.role.isEmpty ? "" : " <span class=\"soft small\">\(participant.role)</span>"
    return "<span class=\"chip\(kind)\">\(participant.permission.verb)</span>\(acceptance)\(role)"
  }
}
