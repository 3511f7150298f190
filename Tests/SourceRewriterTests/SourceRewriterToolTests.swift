import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

/// The package manager builds the program before the tests, in the same folder.
@Suite("The source rewriter that a build runs")
struct SourceRewriterToolTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder("rewriter") }

  private func run(_ arguments: [String]) throws -> (status: Int32, errors: String) {
    let process = try ChildProcess(HostProcess.executableFolder + "/LocalCloudSourceRewriterTool", arguments)
    return (process.wait(seconds: 120), process.errors)
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  @Test("an input that is not a file or is too long is refused immediately, and a pipe is not waited for")
  func inputThatIsNotAFile() throws {
    try folder.directory.writeStaged("A.swift", Array("let a = 1".utf8))
    #expect(try runProgram("/usr/bin/mkfifo", [path("pipe.swift")]) == 0)
    #expect(try runProgram("/bin/ln", ["-s", "/dev/zero", path("zero.swift")]) == 0)
    try folder.directory.createFile("long.swift").truncate(to: (16 << 20) + 1)
    let refused: [(name: String, error: String)] = [
      ("pipe.swift", "open \(path("pipe.swift")): it is not a file"),
      ("zero.swift", "open \(path("zero.swift")): it is not a file"),
      ("long.swift", "read \(path("long.swift")): it has more than 16 MiB"),
    ]
    for (name, error) in refused {
      for option in ["--file", "--known"] {
        let output = option == "--file" ? [path("out.swift")] : []
        let result = try run([option, path(name)] + output + ["--file", path("A.swift"), path("B.swift")])
        #expect(result.status == 1, "\(name)")
        #expect(result.errors == "error: \(error)\n", "\(name)")
      }
    }
    #expect(try !folder.directory.exists("out.swift"))
    #expect(try !folder.directory.exists("B.swift"))
  }

  @Test("100,000 nested interpolations give an error with a line, and the program does not crash [rewrite-13]")
  func nestedInterpolationsGiveAnError() throws {
    let count = 100_000
    let deep = String(repeating: "\"\\(", count: count) + "1" + String(repeating: ")\"", count: count)
    try folder.directory.writeStaged("A.swift", Array("\nlet a = \(deep)\n".utf8))
    let result = try run(["--file", path("A.swift"), path("out.swift")])
    #expect(result.status == 1)
    #expect(
      result.errors
        == "\(path("A.swift")):2:777: error: this is nested more than 256 levels deep, which the compiler refuses, too\n"
    )
  }

  @Test(
    "rewritten sources compile, with any characters in the path [rewrite-14]",
    .enabled(if: ChildProcess.hasCompiler, "there is no swiftc"),
    arguments: [
      "a \"b\".swift", "a\\b\\.swift", "a\\(b)\\u{41}.swift", "a\nb\r\u{1}\t\u{7F}.swift", "\"\"\"\u{301}#\".swift",
    ])
  func rewrittenSourcesCompileWithAnyCharacters(name: String) throws {
    try folder.directory.writeStaged(name, Array("let a = #keyPath(A.b)\nlet c: Int = \"d\"\n".utf8))
    #expect(try run(["--file", path(name), path("out.swift")]).status == 0)
    let wrong = try ChildProcess("/usr/bin/env", ["swiftc", "-typecheck", path("out.swift")])
    #expect(wrong.wait(seconds: 300) != 0)
    // If the path of the original has a line break, the compiler prints the line of the rewritten file.
    let line = name.contains("\n") ? 3 : 2
    #expect(wrong.errors.contains(":\(line):14: error: cannot convert value of type 'String'"), "\(wrong.errors)")
    // The compiler repeats the message below the quoted line; only the first message has a position before it.
    #expect(wrong.errors.split(separator: ": error: ", omittingEmptySubsequences: false).count == 2, "\(wrong.errors)")
    try folder.directory.writeStaged(name, Array("let a = #keyPath(A.b)\n".utf8))
    #expect(try run(["--file", path(name), path("out.swift")]).status == 0)
    let right = try ChildProcess("/usr/bin/env", ["swiftc", "-typecheck", path("out.swift")])
    #expect(right.wait(seconds: 300) == 0, "\(right.errors)")
  }
}
