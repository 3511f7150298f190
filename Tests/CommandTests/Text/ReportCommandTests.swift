import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import Synchronization
import Testing

@Suite("The command report")
struct ReportCommandTests {
  private let cli: Cli
  private let folder: TransferFolder

  /// The smallest PNG that a browser shows.
  private static let image = [UInt8](
    base64Text: "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYPj/HwADAgH/"
      + "p0Y2WwAAAABJRU5ErkJggg==")

  init() throws {
    cli = try Cli("alice", "bob")
    folder = try TransferFolder()
    try cli.expect("zone", "save", "Notes", as: "alice")
  }

  private func page(_ words: String...) throws -> String {
    let run = cli.run(["report", "--output", "-"] + words)
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
    return run.output
  }

  private func save(_ name: String, _ fields: String...) throws {
    let words = ["record", "save", "Note", "--zone", "Notes", "--name", name] + fields
    let run = cli.run(words, as: "alice")
    guard run.code == .success else { throw Cli.Unexpected(description: run.error) }
  }

  /// Shares the record milk with bob, who accepts.
  private func share(_ title: String) throws {
    let url = try cli.expect(
      "share", "create", "milk", "--zone", "Notes", "--title", title, "--person", "bob", "--permission", "readOnly",
      "--quiet", as: "alice"
    ).output
    try cli.expect("share", "accept", String(url.prefix { $0 != "\n" }), as: "bob")
  }

  @Test("the page of an empty cloud says so, and allows no script and no load")
  func emptyCloud() throws {
    let empty = try Cli()
    let run = empty.run("report", "--output", "-")
    #expect(run.code == .success)
    #expect(run.output.hasPrefix("<!doctype html>"))
    #expect(run.output.contains("content=\"default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri"))
    #expect(run.output.contains("name=\"viewport\""))
    #expect(run.output.contains("prefers-color-scheme: dark"))
    for text in ["No accounts.", "Nothing is shared.", "No container has any data.", "No request was logged."] {
      #expect(run.output.contains(text))
    }
    #expect(!run.output.contains("<script"))
    #expect(!run.output.contains("http-equiv=\"refresh\""))
  }

  @Test("the page has people, devices, records with their fields, and references as links")
  func contents() throws {
    try save("milk", "text=Buy milk", "count:int64=2")
    try save("tea", "next:reference=milk")
    try cli.expect("account", "set", "bob", "--storage", "full")
    try cli.expect("device", "network", "offline", "--device", "bob-device")
    let page = try page()
    for text in [
      "<h4>alice</h4>", "alice@example.com", "bob-device: offline", "storage full", "Buy milk",
      "count<br><small>int64</small>",
    ] { #expect(page.contains(text), "\(text)") }
    let row = try #require(page.range(of: "<tr id=\"r"))
    let anchor = page[row.upperBound...].prefix { $0 != "\"" }
    #expect(page[row.upperBound...].contains("<th><code>milk</code></th>"))
    #expect(page.contains("<a href=\"#r\(anchor)\"><code>milk</code></a>"))
  }

  @Test("the page draws a share with its owner, its participants, their permissions and their acceptance")
  func shares() throws {
    try save("milk")
    try share("Groceries")
    let page = try page()
    #expect(page.contains("<svg viewBox="))
    #expect(page.contains("class=\"edge reads p1\""))
    #expect(page.contains("<tr id=\"s0\"><th>Groceries</th>"))
    #expect(page.contains("<b class=\"who p1\">bob</b> <span class=\"chip\">reads</span>"))
    #expect(page.contains("<a class=\"chip\" href=\"#s0\">Groceries</a>"))
    #expect(page.contains("Groceries of <b class=\"who p0\">alice</b>"))
  }

  private static let evil = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>&"
  private static let escaped =
    "&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img src=x onerror=alert(2)&gt;&amp;"

  @Test("names and values with markup are text, wherever they stand")
  func hostileTexts() throws {
    let evil = Self.evil
    try cli.expect("account", "set", "bob", "--given-name", evil, code: .success)
    try cli.expect("zone", "save", evil, as: "alice")
    try cli.expect("record", "save", "Note", "--zone", evil, "--name", evil, "text=\(evil)", as: "alice")
    try cli.expect("record", "save", "Note", "--zone", evil, "--name", "other", "next:reference=\(evil)", as: "alice")
    try cli.expect("share", "create", evil, "--zone", evil, "--title", evil, "--person", "bob", as: "alice")
    _ = cli.run(["record", "get", evil, "--zone", evil], as: "bob", variables: ["LOCALCLOUD_LOG": "on"])
    let page = try page()
    #expect(page.contains(Self.escaped))
    #expect(page.contains("<td><span class=\"value\">\(Self.escaped)</span></td>"))
    #expect(page.contains("<tr id=\"s0\"><th>\(Self.escaped)</th>"))
    #expect(page.contains("<title>\(Self.escaped)</title>"))
    #expect(!page.contains("<script"))
    #expect(!page.contains("<img"))
    #expect(!page.contains("onerror=alert(2)>"))
  }

  @Test("an encrypted value stays closed, and is open for an account that has its key")
  func encryptedValues() throws {
    guard
      cli.run("record", "save", "Note", "-z", "Notes", "-n", "n", "text:encrypted=hush", as: "alice").code == .success
    else { return }
    let closed = try page()
    #expect(closed.contains("<span class=\"chip\">encrypted</span>"))
    #expect(!closed.contains("hush"))
    let open = try page("--account", "alice")
    #expect(open.contains("<span class=\"value\">hush</span>"))
    #expect(open.contains("Shows the records that <b class=\"who p0\">alice</b> may read"))
    let other = try page("--account", "bob")
    #expect(!other.contains("hush"))
    #expect(!other.contains("<code>n</code>"))
  }

  @Test("an account in the environment does not narrow the page")
  func accountOfTheEnvironment() throws {
    try save("milk", "text=Buy milk")
    #expect(cli.run(["report", "--output", "-"], as: "bob").output.contains("Buy milk"))
  }

  @Test("images are in the page as data, other assets by size and name")
  func assets() throws {
    let image = try folder.write("dot.png", try #require(Self.image))
    let svg = try folder.write("evil.svg", Array("<svg onload=alert(1)>".utf8))
    try save("beach", "image:asset=\(image)", "other:asset=\(svg)")
    let page = try page()
    #expect(page.contains("src=\"data:image/png;base64,iVBORw0KGgo"))
    #expect(page.contains("<span class=\"chip\">21 bytes, "))
    #expect(!page.contains("onload"))
  }

  @Test("of a large zone the page shows the first records, the number of the others and the command that lists them")
  func limit() throws {
    for name in ["a", "b", "c"] { try save(name) }
    let page = try page("--limit", "2")
    #expect(page.contains("<code>b</code>"))
    #expect(!page.contains("<code>c</code>"))
    #expect(
      page.contains(
        "1 more record: <code>localcloud record list --container iCloud.example.Commands --account alice --zone Notes"))
    #expect(try !self.page().contains("more record"))
  }

  @Test("a page stays below two megabytes, whatever the records hold")
  func size() throws {
    let lines = (0..<4000).map { number -> String in
      let text = String(repeating: "\\\"<&", count: 200)
      return "{\"recordName\":\"r\(number)\",\"recordType\":\"Note\",\"fields\":{\"a\":\"\(text)\",\"b\":\"\(text)\"}}"
    }
    let file = try folder.write("many.jsonl", lines: lines)
    try cli.expect("import", file, "--zone", "Notes", as: "alice")
    let page = try page("--limit", "100000")
    #expect(page.utf8.count < 2_000_000)
    #expect(page.contains("4,000 records"))
    #expect(page.contains(" more records: <code>localcloud record list"))
  }

  @Test("the last requests of the log are a chart, with the errors marked; the report's own are not in it")
  func requests() throws {
    let log = ["LOCALCLOUD_LOG": "on"]
    _ = cli.run(["record", "save", "Note", "-z", "Notes", "-n", "milk"], as: "alice", variables: log)
    _ = cli.run(["record", "get", "none", "-z", "Notes"], as: "alice", variables: log)
    let first = cli.run(["report", "--output", "-"], variables: log)
    #expect(first.output.contains("<b class=\"what\">modifyRecords</b>"))
    #expect(first.output.contains("<tr class=\"failed p0\">"))
    #expect(first.output.contains("✕ Notes/none: unknownItem"))
    #expect(cli.run(["report", "--output", "-"], variables: log).output == first.output)
    #expect(try !page("--account", "bob").contains("modifyRecords"))
  }

  @Test("the file is replaced as a whole, and a path in the cloud is refused")
  func files() throws {
    let file = try folder.write("cloud.html", Array("before".utf8))
    try save("milk", "text=Buy milk")
    let document = try cli.json("report", "--output", file)
    #expect(document["path"]?.string == file)
    #expect(document["records"] == 1)
    #expect(try folder.text("cloud.html").hasSuffix("</html>\n"))
    #expect(cli.run("report", "--output", cli.root + "/page.html").code == .storage)
    #expect(try cli.expect("report", "--output", file, "--quiet").output.isEmpty)
  }

  @Test("a watched page is written again after a change")
  func watch() throws {
    let file = folder.file("cloud.html")
    let pages = Mutex<[String]>([])
    let (cli, folder) = (cli, folder.path)
    let run = cli.run(
      ["report", "--output", file, "--watch", "--count", "2", "--refresh", "2"],
      onMessage: { message in
        guard message.hasPrefix("wrote"),
          let bytes = try? UserFile.read(folder + "/cloud.html", limit: .value)
        else { return }
        let isFirst = pages.withLock { pages in
          pages.append(String(decoding: bytes, as: UTF8.self))
          return pages.count == 1
        }
        if isFirst {
          _ = cli.run("record", "save", "Note", "--zone", "Notes", "--name", "late", "text=Buy tea", as: "alice")
        }
      })
    #expect(run.code == .success)
    let written = pages.withLock { $0 }
    #expect(written.map { $0.contains("Buy tea") } == [false, true])
    #expect(written.allSatisfy { $0.contains("<meta http-equiv=\"refresh\" content=\"2\">") })
  }

  @Test("wrong input is refused")
  func wrongInput() throws {
    #expect(cli.run("report").code == .usage)
    #expect(cli.run("report", "--output", "-", "--limit", "0").code == .usage)
    #expect(cli.run("report", "--output", "-", "--watch").code == .usage)
    #expect(cli.run("report", "--output", "-", "--count", "1").code == .usage)
    #expect(cli.run("report", "--output", "-", "--database", "shared").code == .usage)
    #expect(cli.run("report", "--output", "-", "--account", "nobody").code == .notFound)
    #expect(cli.run("report", "--output", "-", "--store", folder.file("none.sqlite")).code == .notFound)
  }
}
