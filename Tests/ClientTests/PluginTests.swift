import FaultInjection
import Foundation
import LocalCloudPlatform
import TestSupport
import Testing

/// Tests the plugins with changes of the package `Bookshop`.
extension ClientTests {
  /// A copy of the package for changes and builds.
  private struct Work {
    let folder: String
    private let scratch: String

    init(scratch: String) throws {
      self.scratch = scratch
      folder = ScratchFolder.newPath("bookshop")
      try FileManager.default.copyItem(atPath: "\(ClientTests.clients)/Bookshop", toPath: folder)
      try replace("\"../../..\"", "\"\(Repository.path)\"", in: "Package.swift")
    }

    /// Runs a command of SwiftPM, and repeats it after a crash.
    func swift(_ command: String, _ options: [String] = []) throws -> (status: Int32, output: String) {
      let result = try swiftOnce(command, options)
      return result.output.contains("*** Program crashed") ? try swiftOnce(command, options) : result
    }

    private func swiftOnce(_ command: String, _ options: [String]) throws -> (status: Int32, output: String) {
      // The old build description does not know new files.
      for name in ["debug", "release"] { try? ScratchFolder.remove("\(scratch)/\(name).yaml") }
      let swift = try ChildProcess(
        "/usr/bin/env",
        ["-u", "LOCALCLOUD_OPTIMIZED", "swift", command, "--package-path", folder, "--scratch-path", scratch] + options)
      return (swift.wait(seconds: 1800), swift.output + swift.errors)
    }

    /// Builds the package without warnings, and runs it in its own folder. Returns the output.
    func run(_ options: [String] = []) throws -> String {
      let (status, output) = try swift("build", options)
      try #require(status == 0 && !output.contains("warning:"), "\(output.suffix(20_000))")
      return try Self.run("\(scratch)/\(options.last ?? "debug")/Bookshop")
    }

    static func run(_ path: String) throws -> String {
      let userFolder = ScratchFolder.newPath("home")
      try FileManager.default.createDirectory(atPath: userFolder, withIntermediateDirectories: true)
      defer { try? ScratchFolder.remove(userFolder) }
      let program = try ChildProcess(path, [], environment: ["HOME": userFolder], folder: userFolder)
      try #require(program.wait(seconds: 300) == 0, "\(program.output)\(program.errors)")
      return program.output
    }

    /// Expects a failing build with this text in its output.
    func expectFailure(_ text: String) throws {
      let (status, output) = try swift("build")
      #expect(status != 0, "no \(text) in: \(output.suffix(20_000))")
      #expect(output.contains(text), "no \(text) in: \(output.suffix(20_000))")
    }

    func write(_ text: String, _ name: String) throws {
      try text.write(toFile: "\(folder)/\(name)", atomically: false, encoding: .utf8)
    }

    func replace(_ old: String, _ new: String, in name: String) throws {
      let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
      try #require(text.contains(old))
      try write(text.replacingOccurrences(of: old, with: new), name)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: "\(folder)/\(name)") }
  }

  private static let apple = "Sources/Bookshop/Apple"
  private static let program = "Sources/Bookshop/Bookshop.swift"

  @Test("tests with XCTest and Swift Testing are rewritten and run [rewrite-1]")
  func rewrittenTests() throws {
    let work = try Work(scratch: Self.scratch)
    defer { try? ScratchFolder.remove(work.folder) }
    let (status, output) = try work.swift("test")
    #expect(status == 0, "\(output.suffix(20_000))")
    #expect(!output.contains("warning:"), "\(output.suffix(20_000))")
    #expect(output.contains("Executed 1 test, with 0 failures"))
    #expect(output.contains("Test run with 2 tests"))
  }

  @Test("the next build contains added, renamed and removed files and another model version")
  func nextBuildContainsAddedRenamedAndRemoved() throws {
    let work = try Work(scratch: Self.scratch)
    defer { try? ScratchFolder.remove(work.folder) }
    #expect(try work.run() == "")
    let file = { (word: String) in
      """
      import CoreData

      @objcMembers final class Extra: NSObject {
        dynamic var word = "\(word)"
      }

      """
    }
    try work.write(file("added"), "\(Self.apple)/Extra.swift")
    try work.replace("try stamps()\n", "try stamps()\n    print(Extra().word)\n", in: Self.program)
    #expect(try work.run() == "added\n")
    try work.remove("\(Self.apple)/Extra.swift")
    try work.write(file("renamed"), "\(Self.apple)/Other.swift")
    #expect(try work.run() == "renamed\n")
    try work.write(file("changed"), "\(Self.apple)/Other.swift")
    #expect(try work.run() == "changed\n")
    try work.remove("\(Self.apple)/Other.swift")
    try work.expectFailure("cannot find 'Extra' in scope")
    try work.replace("    print(Extra().word)\n", "", in: Self.program)
    #expect(try work.run() == "")
    // No build may fail between the two versions. After a failure the compiler treats a file with restored contents as
    // unchanged, although its output was removed.
    let attributes = "print(Book.entity().attributesByName.keys.sorted())\n"
    try work.replace("try stamps()\n", "try stamps()\n    \(attributes)", in: Self.program)
    try work.replace("(book.title, book.pages) = (\"Notes\", 66)", "book.title = \"Notes\"", in: Self.program)
    try work.replace(".first?.pages == 66", ".first?.title == \"Notes\"", in: Self.program)
    #expect(try work.run() == "[\"pages\", \"title\"]\n")
    let current = "Sources/Bookshop/Bookshop.xcdatamodeld/.xccurrentversion"
    try work.replace("Bookshop 2.xcdatamodel", "Bookshop.xcdatamodel", in: current)
    #expect(try work.run() == "[\"title\"]\n")
    try work.replace("book.title = \"Notes\"", "(book.title, book.pages) = (\"Notes\", 66)", in: Self.program)
    try work.expectFailure("value of type 'Book' has no member 'pages'")
  }

  @Test("unsupported code, and mistakes in a rewritten file or a model, are errors at their lines")
  func unsupportedCodeAndMistakesInARewritten() throws {
    let work = try Work(scratch: Self.scratch)
    defer { try? ScratchFolder.remove(work.folder) }
    let file = "\(Self.apple)/Wrong.swift"
    try work.write("import CoreData\n\n@objc protocol Wrong {\n  @objc optional func some()\n}\n", file)
    try work.expectFailure("\(work.folder)/\(file):4:")
    try work.write("import CoreData\n\n@objc final class Wrong: NSObject {\n  let some: Nothing\n}\n", file)
    try work.expectFailure("\(work.folder)/\(file):4:")
    try work.remove(file)
    let contents = "Sources/Bookshop/Bookshop.xcdatamodeld/Bookshop 2.xcdatamodel/contents"
    try work.replace("attributeType=\"Integer 32\"", "attributeType=\"Integer 31\"", in: contents)
    try work.expectFailure("\(work.folder)/\(contents):8:")
    try work.replace("attributeType=\"Integer 31\"", "attributeType=\"Integer 32\"", in: contents)
    let mapping = "Sources/Bookshop/Bookshop 1 to 2.xcmappingmodel/xcmapping.xml"
    try work.replace(
      "<attribute name=\"mappingtypename\" type=\"string\">Undefined", "<attribute name=\"mappingtypename\">?",
      in: mapping)
    try work.expectFailure("\(work.folder)/\(mapping):18:")
  }

  @Test("a release build that is copied to another folder finds its models")
  func releaseBuildThatIsCopied() throws {
    let work = try Work(scratch: Self.scratch)
    let programPath = ScratchFolder.newPath("program")
    defer { for path in [work.folder, programPath] { try? ScratchFolder.remove(path) } }
    _ = try work.run(["-c", "release"])
    try FileManager.default.copyItem(atPath: "\(Self.scratch)/release/Bookshop", toPath: programPath)
    try ScratchFolder.remove(work.folder)
    // Removes the plugins' outputs too.
    let outputs = "\(Self.scratch)/plugins/outputs/bookshop"
    if FileManager.default.fileExists(atPath: outputs) { try ScratchFolder.remove(outputs) }
    #expect(try Work.run(programPath) == "")
  }
}
