import Foundation
import TestSupport
import Testing

/// Rules of the architecture that a compiler does not check.
@Suite("Layers")
struct LayeringTests {
  private static let sources = URL(fileURLWithPath: Repository.path).appendingPathComponent("Sources")

  private static func files(in target: String) throws -> [(name: String, text: String)] {
    let folder = sources.appendingPathComponent(target)
    let names = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
    return try names.filter { $0.hasSuffix(".swift") }.map {
      (target + "/" + $0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
    }
  }

  @Test(
    "only Platform calls libc or the file system",
    arguments: [
      "Storage", "CloudStore", "CloudModel", "DeviceStore", "PredicateFormat", "FoundationPredicates", "CloudService",
      "Emulator",
      "LocalCloud", "LocalCloudTesting", "CloudKit", "Location", "LocalCloudCommands", "LocalCloudTool",
      "CoreDataModel",
      "ModelCompiler", "SourceRewriter", "SourceRewriterTool", "ObjectStore",
      "CoreDataMirroring", "CoreData",
    ])
  func onlyPlatform(target: String) throws {
    let files = try Self.files(in: target)
    #expect(!files.isEmpty)
    for (name, text) in files {
      for word in [
        "import Glibc", "import Musl", "import Darwin", "FileManager", "FileHandle", "(contentsOf: url", ".write(to:",
      ] {
        #expect(!text.contains(word), "\(name) has \(word)")
      }
    }
  }

  @Test(
    "what the command line is made of does without full Foundation: starting it takes longer than a save",
    arguments: [
      "Platform", "Storage", "CloudStore", "CloudModel", "DeviceStore", "PredicateFormat", "CloudService", "Emulator",
      "LocalCloudCommands", "LocalCloudTool", "CoreDataModel", "ModelCompiler", "SourceRewriter", "SourceRewriterTool",
      "ObjectStore",
    ])
  func onlyEssentials(target: String) throws {
    for (name, text) in try Self.files(in: target) {
      let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      for (index, line) in lines.enumerated() where line == "import Foundation" {
        // Allowed only where there is no FoundationEssentials at all.
        #expect(lines.prefix(index).last == "#else", "\(name) imports Foundation")
      }
    }
  }

  /// Functions that Apple wrote in Swift. The others come from Objective-C, where no result has to be used.
  private static let swiftFunctions: Set<String> = ["fetch", "count", "execute", "perform", "performAndWait"]

  @Test("results of functions that Core Data has from Objective-C may be unused")
  func resultsOfFunctionsThatCoreData() throws {
    let function = #/^ *(?:@\w+ )*open (?:(?:override|class) )*func (\w+)\(.*-> (?!Void)/#
    var count = 0
    for (name, text) in try Self.files(in: "CoreData") {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      for (index, line) in lines.enumerated() {
        guard let match = line.firstMatch(of: function) else { continue }
        if Self.swiftFunctions.contains(String(match.1)) { continue }
        count += 1
        let attributes = lines[..<index].reversed().prefix { $0.contains("@") } + [line]
        #expect(attributes.contains { $0.contains("@discardableResult") }, "\(name): \(line)")
      }
    }
    #expect(count > 60)
  }

  /// The folder of a module of the package; nil for another's. The name of a module that programs do not import begins
  /// with the project's: `LocalCloudStorage` is in Storage, and `LocalCloudStore` in CloudStore.
  private static func folder(ofModule name: String, among folders: Set<String>) -> String? {
    [name, name.replacing(#/^LocalCloud/#, with: ""), name.replacing(#/^Local/#, with: "")].first(
      where: folders.contains)
  }

  @Test("the page on the architecture lists each folder of Sources once")
  func pageOnTheArchitectureListsEachFolder() throws {
    let own = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path).filter { !$0.hasPrefix(".") }
    #expect(Guide.floors.map(\.folder).sorted() == own.sorted())
  }

  @Test(
    "a floor imports the floors that the page on the architecture lists, all of them above it in the table",
    arguments: Guide.floors.map(\.folder))
  func floorImportsTheFloorsThatThePage(target: String) throws {
    let own = Set(Guide.floors.map(\.folder))
    let index = try #require(Guide.floors.firstIndex { $0.folder == target })
    let listed = Guide.floors[index].imports
    #expect(Set(Guide.floors[..<index].map(\.folder)).isSuperset(of: listed), "\(target)")
    var imported: Set<String> = []
    for (name, text) in try Self.files(in: target) {
      for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
        guard line.contains("import "),
          let module = line.wholeMatch(of: #/(?:@\w+ )*(?:package |public )?import (?:\w+ )?(\w+).*/#)?.output.1,
          let folder = Self.folder(ofModule: String(module), among: own), folder != target
        else { continue }
        #expect(listed.contains(folder), "\(name): \(line)")
        imported.insert(folder)
      }
    }
    #expect(imported.sorted() == listed.sorted(), "\(target)")
  }

  @Test("each step of a way of data is a type of the floor that the page on the architecture names")
  func eachStepOfAWayOfData() throws {
    let page = try Guide("Architecture.md")
    let rows = page.rows(below: "## Five ways of data")
    #expect(rows.count > 30)
    for cells in rows {
      let floor = try #require(Guide.codeWords(cells[0]).first, "\(cells)")
      let type = try #require(Guide.codeWords(cells[1]).first, "\(cells)")
      let declaration = try Regex(#"\b(?:class|struct|enum|actor|protocol) \#(type)\b"#)
      #expect(try Self.files(in: floor).contains { $0.text.contains(declaration) }, "\(floor): \(type)")
    }
  }

  @Test("storage knows nothing of a cloud: no name that it declares, no text that it writes, speaks of one")
  func storageKnowsNothingOfACloud() throws {
    let words = [
      "zone", "record", "share", "push", "asset", "account", "cloud", "container", "database", "subscription", "inbox",
      "aps", "participant", "owner name",
    ]
    try expectNone(of: words, in: "Storage")
  }

  @Test("the store of zones has no name, key or file for the notifications and messages of devices")
  func cloudStore() throws {
    let words = [
      "push", "pushes", "inbox", "inboxes", "message", "messages", "subscription", "subscriptions", "withdrawals",
      "sharing", "operations", "aps", "badge", "badges", "collapse", "userInfo", "notification", "alert",
    ]
    try expectNone(of: words, in: "CloudStore")
  }

  @Test("the store of devices has no name or key from the payloads of Apple's push service")
  func deviceStore() throws {
    try expectNone(of: ["aps", "badge", "badges", "collapse", "userInfo", "notification", "alert"], in: "DeviceStore")
  }

  /// In names that are declared, and in texts.
  private func expectNone(of words: [String], in target: String) throws {
    let files = try Self.files(in: target)
    #expect(!files.isEmpty)
    let patterns = try words.map {
      (word: $0, pattern: try Regex("(?i)(?:^|[^a-z])\($0)s?(?:$|[^a-z])|\($0.capitalized)(?![a-z])"))
    }
    for (name, text) in files {
      for line in text.split(separator: "\n") {
        let code = line.replacing("time zone", with: "").split(
          separator: "//", maxSplits: 1, omittingEmptySubsequences: false)[0]
        var spoken = code.matches(of: #/\b(?:func|var|let|case|class|struct|enum|protocol|typealias|init) +`?(\w+)/#)
          .map { String($0.output.1) }
        spoken += code.matches(of: #/(\w+):/#).map { String($0.output.1) }
        spoken += code.matches(of: #/"([^"]*)"/#).map { String($0.output.1) }
        for found in spoken {
          // A search for words costs less than the pattern that bounds them.
          let small = found.lowercased()
          for (word, pattern) in patterns where small.contains(word.lowercased()) {
            #expect(found.firstMatch(of: pattern) == nil, "\(name): '\(found)' in \(line)")
          }
        }
      }
    }
  }

  @Test("Foundation's predicates stand on the format language and the platform, and declare what Apple's does")
  func foundationPredicates() throws {
    let files = try Self.files(in: "FoundationPredicates")
    #expect(!files.isEmpty)
    var names: Set<String> = []
    for (name, text) in files {
      for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
        if let module = line.wholeMatch(of: #/(?:@\w+ )*import (?:\w+ )?(\w+).*/#)?.output.1 {
          #expect(
            ["Foundation", "Synchronization", "LocalCloudPredicateFormat", "LocalCloudPlatform"].contains(module),
            "\(name): \(line)")
        }
        let declaration = #/\b(?:public|open) (?:\w+ )*?(?:(init)|(?:func|var|let|class|struct|enum|protocol) (\w+))/#
        if let match = line.firstMatch(of: declaration) {
          names.insert(String(match.output.1 ?? match.output.2 ?? ""))
        }
      }
    }
    // With an underscore: names that the compiler needs and programs do not write.
    let underscored = [
      "_KeyedSortDescriptor", "_cVarArgEncoding", "_cVarArgObject", "_ExpressionNames", "_LinuxExpressionNames",
      "_ComparisonNames",
      "_LinuxComparisonNames", "_TreeExpression", "_PropertySortDescriptor", "_propertyName",
    ]
    // What the last two classes override.
    let overrides = ["copy", "isEqual", "hash", "description", "compare", "reversedSortDescriptor"]
    // Of the four types with names.
    let members = ["expression", "kind", "comparison", "modifier", "comparator", "options"]
    let expressions = [
      "expressionForEvaluatedObject", "expressionForAnyKey", "expressionType", "constantValue", "keyPath", "function",
      "variable", "operand", "arguments", "collection", "predicate", "expressionValue", "allowEvaluation",
      "leftExpression", "rightExpression", "comparisonPredicateModifier", "predicateOperatorType",
    ]
    // Notifications as a sequence, for programs that import CloudKit or CoreData.
    let sequence = ["Notifications", "notifications", "Element", "Failure", "Iterator", "next", "makeAsyncIterator"]
    #expect(
      names.subtracting(sequence)
        == Set(["init", "withSubstitutionVariables", "key"] + expressions + underscored + overrides + members))
  }

  @Test("the mirroring knows rows and records: it imports no Core Data, and has no managed object")
  func mirroring() throws {
    let files = try Self.files(in: "CoreDataMirroring")
    #expect(!files.isEmpty)
    for (name, text) in files {
      for line in text.split(separator: "\n") {
        #expect(!line.contains(#/\bimport (?:Local)?CoreData\b|\bNSManaged/#), "\(name): \(line)")
      }
    }
    // Nor through a floor that it imports.
    var below: Set<String> = []
    var next = ["CoreDataMirroring"]
    while let floor = next.popLast() {
      for other in Guide.floors.first(where: { $0.folder == floor })?.imports ?? [] where below.insert(other).inserted {
        next.append(other)
      }
    }
    #expect(below.contains("CloudKit") && !below.contains("CoreData"), "\(below.sorted())")
  }

  @Test("the reader of models does without any Foundation, which each build that has a model would start")
  func coreDataModel() throws {
    for target in ["CoreDataModel", "ModelCompiler"] {
      for (name, text) in try Self.files(in: target) {
        for line in text.split(separator: "\n") where line.hasPrefix("import ") {
          let allowed = [
            "import LocalCloudCoreDataModel", "import LocalCloudPlatform", "import Synchronization",
          ]
          #expect(allowed.contains { $0 == line }, "\(name): \(line)")
        }
      }
    }
  }

  @Test("what apps import beside CloudKit is never pulled in: nothing else imports Combine, OSLog or os")
  func besideCloudKit() throws {
    let targets = try FileManager.default.contentsOfDirectory(atPath: Self.sources.path)
    #expect(targets.contains("BesideCloudKit"))
    for target in targets where target != "BesideCloudKit" {
      for (name, text) in try Self.files(in: target) {
        for line in text.split(separator: "\n").map({ $0.trimmingCharacters(in: .whitespaces) }) {
          let words = line.split(whereSeparator: { " .".contains($0) })
          guard let index = words.firstIndex(of: "import"), index + 1 < words.count, index <= 1 else { continue }
          #expect(!["Combine", "OSLog", "os"].contains(words[index + 1]), "\(name): \(line)")
        }
      }
    }
  }

  /// The folders of Sources, and those of the tests' own tools.
  private static func targets() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: sources.path)
      + ["TestSupport", "FaultInjection", "Stress", "Benchmarks"].map { "../Tests/\($0)" }
  }

  /// Without comments and blank lines.
  private static func code(_ text: String) -> [Substring] {
    text.split(separator: "\n").filter {
      let line = $0.drop { $0 == " " }
      return !line.isEmpty && !line.hasPrefix("//")
    }
  }

  @Test("files of one thought: none of more than 350 lines, and few that are scraps")
  func files() throws {
    var scraps: [String] = []
    for target in try Self.targets() {
      for (name, text) in try Self.files(in: target) {
        let count = Self.code(text).count
        #expect(count <= 350, "\(name)")
        // Apple's classes have a file each, however small.
        if count < 20, !["CloudKit", "CoreData"].contains(target) { scraps.append(name) }
      }
    }
    #expect(scraps.count < 40, "\(scraps.sorted())")
  }

  @Test("functions can be read at once: none of more than 60 lines")
  func functionsCanBeReadAtOnce() throws {
    for target in try Self.targets() {
      for (name, text) in try Self.files(in: target) {
        // By the indentation that the formatter gives.
        var open: [(indentation: Int, line: Int, head: Substring)] = []
        for (index, line) in Self.code(text).enumerated() {
          let indentation = line.prefix { $0 == " " }.count
          if line.dropFirst(indentation).hasPrefix("}"), let last = open.last, last.indentation == indentation {
            #expect(index - last.line - 1 <= 60, "\(name): \(last.head)")
            open.removeLast()
          }
          if line.contains(#/\b(?:func \w+|init[?<(])/#), line.hasSuffix("{") {
            open.append((indentation, index, line))
          }
        }
      }
    }
  }

  @Test("one idea a type: none of more than 800 lines over all its extensions, in whatever files they are")
  func oneIdeaAType() throws {
    let head =
      #/^(?:@\w+(?:\([^)]*\))? )*(?:\w+ )*(?:struct|class|enum|actor|protocol|extension) `?(\w+)/#
    for target in try Self.targets() {
      var sizes: [Substring: Int] = [:]
      for (_, text) in try Self.files(in: target) {
        var type: Substring?
        for line in Self.code(text) {
          // By the indentation that the formatter gives: what is not indented begins or ends a type.
          if !line.hasPrefix(" "), !line.hasPrefix("}"), !line.hasPrefix(")") {
            type = line.firstMatch(of: head)?.output.1
          }
          if let type { sizes[type, default: 0] += 1 }
        }
      }
      for (type, size) in sizes { #expect(size <= 800, "\(target): \(type)") }
    }
  }
}
