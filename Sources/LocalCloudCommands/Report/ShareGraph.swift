/// Draws the shares of a cloud: owners on the left, shares in the middle, participants on the right.
///
/// Each participant has a line in the box of the share, and an edge from there to their node, so that permissions and
/// acceptance are next to the edge they belong to.
struct ShareGraph {
  /// The largest numbers of shares, and of participants of one share, in the drawing. The table below it has all.
  private static let mostShares = 30
  private static let mostLines = 12

  private static let (width, margin, gap) = (960, 44, 22)
  private static let (boxLeft, boxWidth, headHeight, lineHeight) = (290, 330, 56, 24)
  private static let (ownerX, personX, radius) = (80, 760, 20)

  private let page: ReportPage
  private let boxes: [Box]
  private let owners: [String: Int]
  private let people: [String: Int]
  private let height: Int

  private struct Box {
    var share: Report.Share
    var index: Int
    var top: Int
    var lines: ArraySlice<Report.Participant>

    var more: Int { share.participants.count - lines.count + share.moreParticipants }
    var rest: String? {
      if more > 0 { return "and \(more) more" }
      return lines.isEmpty ? share.publicAccess ?? "nobody is invited" : nil
    }
    var height: Int {
      ShareGraph.headHeight + (lines.count + (rest == nil ? 0 : 1)) * ShareGraph.lineHeight + 8
    }
    var middle: Int { top + height / 2 }
    func line(_ number: Int) -> Int { top + ShareGraph.headHeight + number * ShareGraph.lineHeight + 8 }
  }

  init(_ page: ReportPage) {
    self.page = page
    var boxes: [Box] = []
    var top = Self.margin
    for (index, share) in page.report.shares.prefix(Self.mostShares).enumerated() {
      let box = Box(share: share, index: index, top: top, lines: share.participants.prefix(Self.mostLines))
      boxes.append(box)
      top += box.height + Self.gap
    }
    self.boxes = boxes
    let owners = Self.spread(boxes.map { ($0.share.owner, $0.middle) }, below: 32)
    let people = Self.spread(
      boxes.flatMap { box in box.lines.enumerated().map { ($1.name, box.line($0)) } }, below: 12)
    (self.owners, self.people) = (owners, people)
    height =
      max(
        top - Self.gap, (owners.values.max() ?? 0) + Self.radius + 24,
        (people.values.max() ?? 0) + Self.radius) + 12
  }

  /// The heights of nodes: each near the middle of its edges, in the order of those, without overlaps.
  ///
  /// - Parameter below: the distance to the next node.
  private static func spread(_ edges: [(name: String, y: Int)], below: Int) -> [String: Int] {
    var sums: [String: (sum: Int, count: Int)] = [:]
    for edge in edges {
      let sum = sums[edge.name] ?? (0, 0)
      sums[edge.name] = (sum.sum + edge.y, sum.count + 1)
    }
    let wanted = sums.map { (name: $0.key, y: $0.value.sum / $0.value.count) }
      .sorted { ($0.y, $0.name) < ($1.y, $1.name) }
    var result: [String: Int] = [:]
    var free = margin + radius
    for (name, y) in wanted {
      let y = max(y, free)
      result[name] = y
      free = y + 2 * radius + below
    }
    return result
  }

  var svg: HTML {
    var svg: HTML = """
      <svg viewBox="0 0 \(Self.width) \(height)" role="img" \
      aria-label="Who shares what with whom; the table says the same">
      <text class="head" x="\(Self.ownerX - Self.radius)" y="20">OWNER</text>
      <text class="head" x="\(Self.boxLeft)" y="20">SHARE</text>
      <text class="head" x="\(Self.personX - Self.radius)" y="20">PARTICIPANT</text>

      """
    for box in boxes { svg += edges(box) }
    for box in boxes { svg += drawing(of: box) }
    for (name, y) in owners.sorted(by: { $0.value < $1.value }) {
      svg += node(name, Self.ownerX, y) + ownerName(name, y)
    }
    for (name, y) in people.sorted(by: { $0.value < $1.value }) {
      svg += node(name, Self.personX, y)
      svg += text(name, "strong", Self.personX + Self.radius + 10, y - 12, 160, cut: 21)
    }
    let more = page.report.shares.count + page.report.moreShares - boxes.count
    if more > 0 { svg += "<text class=\"soft\" x=\"20\" y=\"\(height - 6)\">and \(more) more shares</text>\n" }
    return svg + "</svg>\n"
  }

  private func edges(_ box: Box) -> HTML {
    let owner = owners[box.share.owner] ?? box.middle
    var edges = edge(
      from: (Self.ownerX + Self.radius, owner), to: (Self.boxLeft, box.middle), "writes", page.color(box.share.owner))
    for (number, participant) in box.lines.enumerated() {
      let end = people[participant.name] ?? box.line(number)
      let kind: HTML =
        switch (participant.acceptance, participant.permission) {
        case (.removed, _): "removed"
        case (.pending, .readWrite), (.unknown, .readWrite): "invited writes"
        case (.pending, _), (.unknown, _): "invited"
        case (.accepted, .readWrite): "writes"
        case (.accepted, _): "reads"
        }
      edges += edge(
        from: (Self.boxLeft + Self.boxWidth, box.line(number)), to: (Self.personX - Self.radius, end), kind,
        page.color(participant.name))
    }
    return edges
  }

  private func edge(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ kind: HTML, _ color: HTML) -> HTML {
    let middle = (start.x + end.x) / 2
    return """
      <path class="edge \(kind) \(color)" \
      d="M\(start.x) \(start.y)C\(middle) \(start.y) \(middle) \(end.y) \(end.x) \(end.y)"/>

      """
  }

  private func drawing(of box: Box) -> HTML {
    let share = box.share
    let subject = share.root.map { "\($0.name) in \(share.zone)" } ?? "all of zone \(share.zone)"
    var drawing: HTML = """
      <a href="#s\(box.index)"><rect class="box" x="\(Self.boxLeft)" y="\(box.top)" width="\(Self.boxWidth)" \
      height="\(box.height)" rx="10"/></a>
      \(text(ReportPage.name(of: share), "strong", Self.boxLeft + 14, box.top + 6, Self.boxWidth - 28, cut: 38))\
      \(text(subject, "soft", Self.boxLeft + 14, box.top + 24, Self.boxWidth - 28, cut: 48))\
      <rect class="rule" x="\(Self.boxLeft + 14)" y="\(box.top + 50)" width="\(Self.boxWidth - 28)" height="1"/>

      """
    for (number, participant) in box.lines.enumerated() {
      let y = box.line(number)
      drawing += """
        \(text(participant.name, "plain", Self.boxLeft + 14, y - 12, 150, cut: 19))\
        \(text(Self.state(participant), "soft", Self.boxLeft + 170, y - 12, 140, cut: 24))\
        <circle class="port \(page.color(participant.name))" cx="\(Self.boxLeft + Self.boxWidth)" cy="\(y)" r="4"/>

        """
    }
    if let rest = box.rest {
      drawing += text(rest, "soft", Self.boxLeft + 14, box.line(box.lines.count) - 12, Self.boxWidth - 28, cut: 48)
    }
    return drawing
  }

  private static func state(_ participant: Report.Participant) -> String {
    let permission = participant.permission.verb
    if participant.acceptance == .accepted { return permission }
    return "\(permission), \(participant.acceptance == .pending ? "invited" : participant.acceptance.text)"
  }

  private func node(_ name: String, _ x: Int, _ y: Int) -> HTML {
    """
    <g class="\(page.color(name))"><circle class="round" cx="\(x)" cy="\(y)" r="\(Self.radius)"/>\
    <text class="face-text" x="\(x)" y="\(y + 5)">\(ReportPage.initial(name))</text></g>

    """
  }

  /// The name below an owner, as edges leave the node to the right.
  private func ownerName(_ name: String, _ y: Int) -> HTML {
    text(name, "strong centered", 0, y + Self.radius + 2, 2 * Self.ownerX, cut: 20)
  }

  /// A line of text in a frame that cuts the rest off; its tooltip has the whole text.
  private func text(_ words: String, _ kind: HTML, _ x: Int, _ y: Int, _ width: Int, cut: Int) -> HTML {
    let start = words.prefix(cut)
    let shown = start.endIndex == words.endIndex ? words : String(start) + "…"
    return """
      <svg x="\(x)" y="\(y)" width="\(width)" height="24"><text class="\(kind)" x="0" y="16"><title>\(words)</title>\
      \(shown)</text></svg>
      """
  }
}
