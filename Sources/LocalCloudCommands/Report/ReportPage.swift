/// Writes a report as one HTML page that needs nothing else: no script, no font, no network.
struct ReportPage {
  let report: Report
  /// The time of the report, for people.
  let made: String
  /// The seconds after which a browser loads the page again; nil: never.
  var refresh: Int?
  /// The colour of each person; the same in all parts of the page.
  let colors: [String: HTML]
  /// The numbers of the records that the page shows.
  private let shown: Set<Int>

  init(_ report: Report, made: String, refresh: Int? = nil) {
    (self.report, self.made, self.refresh) = (report, made, refresh)
    let classes: [HTML] = ["p0", "p1", "p2", "p3", "p4", "p5", "p6", "p7"]
    colors = Dictionary(
      report.people.enumerated().map { ($1.name, classes[$0 % classes.count]) },
      uniquingKeysWith: { first, _ in first })
    shown = Set(report.databases.lazy.flatMap(\.zones).flatMap(\.records).map(\.anchor))
  }

  /// The first words of each page. The policy forbids scripts and everything from elsewhere; only images within the
  /// page are shown.
  private static let beginning: HTML = """
    <!doctype html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; style-src 'unsafe-inline'; \
    base-uri 'none'; form-action 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <meta name="referrer" content="no-referrer">
    <meta name="generator" content="localcloud report">

    """

  var html: HTML {
    let name = report.root.split(separator: "/").last.map(String.init) ?? report.root
    var page = Self.beginning
    if let refresh { page += "<meta http-equiv=\"refresh\" content=\"\(refresh)\">\n" }
    page += "<title>\(name) · localcloud</title>\n<style>\n\(ReportStyle.sheet)\n</style>\n</head>\n<body>\n"
    page += header(name)
    page += "<main>\n\(people)\(shares)\(records)"
    if !report.stores.isEmpty { page += stores }
    page += requests
    page += "</main>\n<footer>\n<p>Made by <code>localcloud report</code> at \(made). Times are in UTC.</p>\n"
    return page + "</footer>\n</body>\n</html>\n"
  }

  private func header(_ name: String) -> HTML {
    var header: HTML = """
      <header>
      <h1>\(name)</h1>
      <p class="soft small"><code>\(report.root)</code> at \(made)</p>

      """
    let eyes: HTML =
      if let viewer = report.viewer {
        """
        Shows the records that \(who(viewer)) may read, and opens the encrypted values that this account has a key for.
        """
      } else {
        "Shows the files of the cloud, as an administrator reads them. Encrypted values stay closed."
      }
    header += "<p class=\"soft small\">\(eyes)</p>\n"
    if !report.selection.isEmpty {
      header += "<p class=\"soft small\">Only \(report.selection.joined(separator: ", ")).</p>\n"
    }
    header += navigation
    if !report.problems.isEmpty {
      header += """
        <div class="notice">Some of the cloud could not be read. <code>localcloud check</code> tells more.
        <ul>\(report.problems.map { "<li>\($0)</li>" as HTML })</ul>
        </div>

        """
    }
    return header + "</header>\n"
  }

  private var navigation: HTML {
    let zones = report.databases.flatMap(\.zones)
    let total = zones.reduce(0) { $0 + $1.count }
    var links: [HTML] = [
      Self.link(
        "people", report.people.count + report.morePeople, report.people.count == 1 ? "person" : "people"),
      Self.link("shares", report.shares.count + report.moreShares, report.shares.count.noun("share")),
      Self.link("records", total, total.noun("record")),
    ]
    if !report.stores.isEmpty {
      let waiting = report.stores.reduce(0) { $0 + $1.waiting.count + $1.moreWaiting }
      links.append(Self.link("stores", waiting, "waiting for export"))
    }
    if let requests = report.requests {
      let failed = requests.count { $0.error != nil }
      let count = requests.reduce(0) { $0 + $1.times }
      links.append(
        Self.link("requests", count, count.noun("request") + (failed > 0 ? ", \(failed) with errors" : "")))
    }
    return "<nav>\n\(links)</nav>\n"
  }

  /// - Parameter section: the identifier of a section of the page.
  private static func link(_ section: HTML, _ count: Int, _ word: String) -> HTML {
    "<a href=\"#\(section)\"><b>\(number(count))</b> \(word)</a>\n"
  }

  /// A number with separators of thousands: `100,003`.
  static func number(_ number: Int) -> String {
    var text = ""
    for (index, digit) in "\(number)".reversed().enumerated() {
      if index > 0, index % 3 == 0, digit != "-" { text.append(",") }
      text.append(digit)
    }
    return String(text.reversed())
  }

  /// `1 record`, `100,003 records`
  static func counted(_ count: Int, _ word: String) -> String { "\(number(count)) \(count.noun(word))" }

  // MARK: Parts that several sections have

  func color(_ person: String?) -> HTML { person.flatMap { colors[$0] } ?? "p" }

  /// The name of a person, in their colour.
  func who(_ name: String) -> HTML { "<b class=\"who \(color(name))\">\(name)</b>" }

  /// A list of names: `alice, bob and 3 more`.
  func names(_ names: [String], most: Int = 8) -> HTML {
    var list: HTML = ""
    for (index, name) in names.prefix(most).enumerated() { list += "\(index == 0 ? "" : ", ")\(who(name))" }
    return names.count > most ? list + " and \(names.count - most) more" : list
  }

  /// The name of a record, a link if the page shows the record.
  func reference(_ reference: Report.Reference) -> HTML {
    guard shown.contains(reference.anchor) else { return "<code>\(reference.name)</code>" }
    return "<a href=\"#r\(reference.anchor)\"><code>\(reference.name)</code></a>"
  }
}
