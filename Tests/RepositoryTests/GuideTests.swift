import Foundation
import Testing

/// README and the guides: what they show is run by the shell suites, and what they name exists.
@Suite("Guides")
struct GuideTests {
  private static let run: Set<String> = ["sh", "console", "swift", "xml"]

  private func script(_ block: Guide.Block) -> String? {
    block.comment.wholeMatch(of: #/<!-- Run by (Tests/Shell/[\w-]+\.sh)\. -->/#).map { String($0.output.1) }
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOf: CitingFile.root.appendingPathComponent(path), encoding: .utf8)
  }

  @Test("a shell suite runs each block of commands, a session, Swift or XML", arguments: Guide.pages)
  func shellSuiteRunsEachBlockOfCommands(_ guide: Guide) throws {
    var numbers: [String: Int] = [:]
    for block in guide.blocks {
      let location: Comment = "\(guide.path):\(block.line)"
      #expect(Self.run.contains(block.language) || ["", "text", "json"].contains(block.language), location)
      if !Self.run.contains(block.language), script(block) == nil { continue }
      let suite = try #require(script(block), location)
      let number = numbers["\(suite) \(block.language)", default: 0] + 1
      numbers["\(suite) \(block.language)"] = number
      // A session takes all of a page's blocks; so do commands whose names are checked.
      let all = block.language == "console" ? "session \(guide.name)" : "commands \(guide.name)"
      let one = "block \(guide.name) \(block.language) \(number)"
      let lines = try text(suite).split(separator: "\n")
      #expect(lines.contains { $0.contains(one) || $0.hasPrefix(all) }, location)
    }
  }

  @Test("the pages of all catalogues are read")
  func pagesOfAllCataloguesAreRead() {
    #expect(Guide.pages.count > Guide.all.count + 30)
  }

  @Test("README has at most 150 lines and a guide fewer than 350", arguments: Guide.all)
  func readmeHasAtMost150Lines(_ guide: Guide) {
    #expect(guide.lines.count - 1 <= (guide.name == "README.md" ? 150 : 349))
  }

  @Test("the landing page lists each guide")
  func landingPage() throws {
    let listed = try Guide("LocalCloud.md").lines.compactMap {
      $0.wholeMatch(of: #/- <doc:(\w+)>/#).map { String($0.output.1) + ".md" }
    }
    let guides = Guide.all.map(\.name).filter { !["README.md", "LocalCloud.md"].contains($0) }
    #expect(listed.sorted() == guides.sorted())
    #expect(guides.count >= 11)
  }

  @Test("links of guides lead to pages and files that exist", arguments: Guide.all)
  func linksOfGuidesLeadToPages(_ guide: Guide) {
    let folder = CitingFile.root.appendingPathComponent(guide.path).deletingLastPathComponent()
    let names = Set(Guide.all.map(\.name))
    for line in guide.lines {
      for match in line.matches(of: #/\]\(([^)#:]+)\)/#) {
        let path = folder.appendingPathComponent(String(match.output.1)).standardizedFileURL.path
        #expect(FileManager.default.fileExists(atPath: path), "\(guide.name): \(match.output.1)")
      }
      for match in line.matches(of: #/<doc:(\w+)>/#) {
        #expect(names.contains(match.output.1 + ".md"), "\(guide.name): \(match.output.1)")
      }
    }
  }

  @Test("files that the pages for developers name exist", arguments: ["Architecture.md", "Contributing.md"])
  func filesThatThePagesForDevelopersName(_ name: String) throws {
    let guide = try Guide(name)
    for word in guide.lines.flatMap(Guide.codeWords) {
      guard word.wholeMatch(of: #/(?:Sources|Tests|Examples)\/[\w\/+.-]+/#) != nil else { continue }
      let path = CitingFile.root.appendingPathComponent(word).path
      #expect(FileManager.default.fileExists(atPath: path), "\(guide.name): \(word)")
    }
  }

  @Test("example scripts, and commands in guides, wait for events and leave temporary folders to the tool")
  func exampleScriptsWaitForEvents() throws {
    let scripts = try CitingFile.all().filter { $0.path.hasPrefix("Examples/") && $0.path.hasSuffix(".sh") }
    #expect(scripts.count > 9)
    var texts = scripts.map { (path: $0.path, lines: $0.text.components(separatedBy: "\n")) }
    for guide in Guide.all {
      for block in guide.blocks where ["sh", "console"].contains(block.language) {
        let lines = guide.lines[block.line...].prefix { !$0.contains("```") }
        texts.append((path: "\(guide.path):\(block.line)", lines: Array(lines)))
      }
    }
    for (path, lines) in texts {
      for line in lines where !line.hasPrefix("#") {
        #expect(line.firstMatch(of: #/(?:^|[;(&|]|do|then)\s*(?:sleep|until|mktemp)\s/#) == nil, "\(path): \(line)")
      }
    }
  }
}
