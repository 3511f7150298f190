/// A manual page in the language of man(7), made from the descriptions that the help is made from.
struct ManualPage {
  private var lines: [String] = []

  /// The page of the whole tool.
  static func text(of registry: CommandRegistry) -> String {
    var page = ManualPage(name: "localcloud", summary: HelpText.toolSummary)
    page.section("Synopsis")
    page.add("localcloud <command> [options]", isBold: true)
    page.section("Commands")
    for command in registry.commands.map({ $0.init() }) {
      let description = type(of: command).description
      page.lines.append(".SS \"localcloud \(Self.escaped(description.name))\"")
      page.add(description.summary + ".")
      page.contents(of: command) { page, title in
        page.lines.append(".PP")
        page.add(title + ":")
        page.lines.append(".br")
      }
    }
    page.section("Global options")
    page.list(HelpText.rows(GlobalOptions.all))
    for topic in registry.topics {
      page.section(topic.name)
      page.prose(topic.text())
    }
    return page.text
  }

  /// The page of one command.
  static func text(of command: any Command) -> String {
    let description = type(of: command).description
    var page = ManualPage(name: "localcloud-" + description.path.joined(separator: "-"), summary: description.summary)
    page.section("Synopsis")
    page.contents(of: command) { $0.section($1) }
    page.section("Global options")
    page.list(HelpText.rows(GlobalOptions.all))
    return page.text
  }

  private init(name: String, summary: String) {
    lines = [
      ".\\\" " + GeneratedFile.mark,
      ".TH \"\(Self.escaped(name.uppercased()))\" 1 \"\" \"localcloud \(VersionCommand.version)\" \"User Commands\"",
      // Hyphens within names and spaces within code would be wrong.
      ".nh", ".ad l",
    ]
    section("Name")
    lines.append("\(Self.escaped(name)) \\- \(Self.escaped(summary))")
  }

  private var text: String { lines.joined(separator: "\n") + "\n" }

  // MARK: Parts

  /// - Parameter heading: begins a part of the command's description.
  private mutating func contents(of command: any Command, heading: (inout ManualPage, String) -> Void) {
    let description = type(of: command).description
    lines.append(".PP")
    add(command.usage, isBold: true)
    if !description.discussion.isEmpty {
      heading(&self, "Description")
      prose(description.discussion)
    }
    for (title, rows) in [
      ("Arguments", HelpText.rows(command.arguments)), ("Options", HelpText.rows(command.options)),
      ("Exit status", HelpText.rows(description.exitCodes)),
    ] where !rows.isEmpty {
      heading(&self, title)
      list(rows)
    }
    if !description.examples.isEmpty { heading(&self, "Examples") }
    for example in description.examples {
      lines.append(".PP")
      add(example.comment + ":")
      prose(" " + example.line)
    }
  }

  private mutating func section(_ title: String) { lines.append(".SH \"\(Self.escaped(title.uppercased()))\"") }

  private mutating func add(_ text: String, isBold: Bool = false) {
    let escaped = Self.escaped(text)
    lines.append(isBold ? "\\fB\(escaped)\\fR" : text.hasPrefix(".") ? "\\&\(escaped)" : escaped)
  }

  private mutating func list(_ rows: [(term: String, text: String)]) {
    for row in rows {
      lines.append(".TP")
      add(String(row.term.drop { $0 == " " }), isBold: true)
      add(row.text)
    }
    // The text that follows is not a part of the last item.
    lines.append(".PP")
  }

  /// Adds paragraphs. Lines with a space at their beginning keep their form, as in the help.
  private mutating func prose(_ text: String) {
    var isVerbatim = false
    var isBroken = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if isVerbatim != line.hasPrefix(" ") {
        isVerbatim.toggle()
        lines += isVerbatim ? [".PP", ".RS 2", ".nf"] : [".fi", ".RE"]
        isBroken = true
      }
      if line.isEmpty {
        lines.append(".PP")
      } else {
        if !isBroken { lines.append(".br") }
        add(String(line))
      }
      isBroken = isVerbatim || line.isEmpty
    }
    if isVerbatim { lines += [".fi", ".RE"] }
  }

  /// Text without the characters that roff interprets or shows as others.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case "`": result += "\\(ga"
      case "^": result += "\\(ha"
      case "~": result += "\\(ti"
      case "\"": result += "\\(dq"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
