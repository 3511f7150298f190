/// Core Data stores, and the recent requests as a sequence chart.
extension ReportPage {
  var stores: HTML {
    let lead: HTML = "<p class=\"lead\">Changes in Core Data stores that the cloud does not have yet.</p>\n"
    return "<section id=\"stores\">\n<h2>Waiting for export</h2>\n\(lead)\(report.stores.map(store))</section>\n"
  }

  private func store(_ store: Report.Store) -> HTML {
    let account: HTML = store.account.map { "<span class=\"soft\">of</span> \(who($0))" } ?? ""
    let holder: HTML = store.holder.map { "<span class=\"chip good\">mirrored now by \($0)</span>" } ?? ""
    var html: HTML = """
      <details class="card zone" open><summary><b>\(store.path)</b> \(account)
      <span class="soft">\(store.container ?? "")</span> \(holder)</summary>

      """
    if !store.isMirrored { return html + "<p class=\"more\">No container mirrors this store.</p>\n</details>\n" }
    if store.waiting.isEmpty, store.newLinks + store.deletedLinks == 0 {
      return html + "<p class=\"more\"><span class=\"chip good\">all is exported</span></p>\n</details>\n"
    }
    let rows = store.waiting.map { waiting -> HTML in
      """
      <tr><td><span class="chip warn">\(waiting.change)</span></td><th>\(waiting.object)</th>
      <td>\(waiting.properties)</td>
      <td><code>\(waiting.record)</code></td><td>\(waiting.zone)</td></tr>

      """
    }
    html += """
      <div class="scroll"><table>
      <thead><tr><th>change</th><th>object</th><th>properties</th><th>record</th><th>zone</th></tr></thead>
      <tbody>
      \(rows)</tbody></table></div>

      """
    if store.newLinks + store.deletedLinks > 0 {
      html += "<p class=\"more\">Links: \(store.newLinks) new, \(store.deletedLinks) deleted</p>\n"
    }
    if store.moreWaiting > 0 {
      html += "<p class=\"more\">and \(store.moreWaiting) more: <code>localcloud store sync</code></p>\n"
    }
    return html + "</details>\n"
  }

  // MARK: Requests

  /// The largest number of devices with a column of their own.
  private static let mostColumns = 6

  var requests: HTML {
    let lead: HTML = "<p class=\"lead\">What devices asked the cloud for lately. Time runs down.</p>\n"
    let section: HTML = "<section id=\"requests\">\n<h2>Requests</h2>\n\(lead)"
    guard let requests = report.requests, !requests.isEmpty else {
      return section + """
        <p class="empty">No request was logged. Programs and commands that run with <code>LOCALCLOUD_LOG=on</code> log \
        their requests.</p>
        </section>

        """
    }
    var all: [String] = []
    for request in requests where !all.contains(request.device) { all.append(request.device) }
    let devices = all.count > Self.mostColumns ? Array(all.prefix(Self.mostColumns - 1)) : all
    let hasOthers = devices.count < all.count
    let heads = devices.map { name in
      "<th class=\"\(color(account(ofDevice: name)))\"><span class=\"who\">\(name)</span></th>" as HTML
    }
    let others: HTML = hasOthers ? "<th>other devices</th>" : ""
    let rows = requests.map { row($0, devices, hasOthers) }
    let earlier: HTML =
      report.earlierRequests > 0
      ? "<p class=\"more\">\(report.earlierRequests) earlier: <code>localcloud log</code></p>\n" : ""
    return section + """
      <div class="card">\(earlier)<div class="scroll"><table class="sequence">
      <thead><tr><th>time</th>\(heads)\(others)<th>cloud</th><th>request</th></tr></thead>
      <tbody>
      \(rows)</tbody></table></div></div>
      </section>

      """
  }

  private func account(ofDevice name: String) -> String? {
    report.requests?.first { $0.device == name }?.account
  }

  private func row(_ request: Report.Request, _ devices: [String], _ hasOthers: Bool) -> HTML {
    let columns = devices.count + (hasOthers ? 1 : 0)
    let own = devices.firstIndex(of: request.device) ?? devices.count
    let lives = (0..<columns).map { index -> HTML in
      if index == own { return "<td class=\"life from\"></td>" }
      return index < own ? "<td class=\"life\"></td>" : "<td class=\"life over\"></td>"
    }
    let times: HTML = request.times > 1 ? " <span class=\"chip\">\(request.times) times</span>" : ""
    let error: HTML = request.error.map { "<div class=\"error\">✕ \($0)</div>" } ?? ""
    let other: HTML = own == devices.count ? " <span class=\"soft\">\(request.device)</span>" : ""
    let outcome: HTML = request.error == nil ? "" : "failed "
    return """
      <tr class="\(outcome)\(color(request.account))"><td class="time">\(request.time)</td>\(lives)\
      <td class="life to"></td><td class="text"><b class="what">\(request.request)</b> \
      <span class="soft">\(request.database)</span> \(request.items)\(times)\(other)\
      <div class="soft">\(request.program)</div>\(error)</td></tr>

      """
  }
}
