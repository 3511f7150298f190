import FaultInjection
import LocalCloudPlatform
import TestSupport
import Testing

@Suite("The model compiler that a build runs")
struct ModelCompilerTests {
  private func run(_ arguments: [String]) throws -> (status: Int32, errors: String) {
    let process = try ChildProcess(HostProcess.executableFolder + "/LocalCloudModelCompiler", arguments)
    return (process.wait(seconds: 60), process.errors)
  }

  // [model-build-1]
  @Test("the model compiler creates the output folder, writes both files, and does not rewrite correct files")
  func modelCompilerCreatesTheOutputFolderWrites() throws {
    let model = try ModelFolder("Sample.xcdatamodeld", ["Sample": SampleModel.model])
    let folder = try TemporaryFolder("compiled")
    let output = folder.path + "/a/b"
    let first = try run(["App", model.path, output])
    #expect(first.status == 0)
    #expect(first.errors.hasSuffix("warning: Sticker.label has no inverse\n"))
    let directory = try Directory.open(path: output, in: FileSystem())
    for file in try SampleModel.sources() {
      #expect(try directory.contents(file.name) == Array(file.contents.utf8), "\(file.name)")
    }
    let name = "Sample+CoreDataClasses.swift"
    let version = try directory.version(of: name)
    try directory.file("Sample+CoreDataModel.swift", .readWrite).write([0x20], at: 0)
    #expect(try run(["App", model.path, output]).status == 0)
    #expect(try directory.version(of: name) == version)
    #expect(try directory.contents("Sample+CoreDataModel.swift")?.first == UInt8(ascii: "/"))
  }

  // [model-check-1]
  @Test("the model compiler prints problems in the compiler's format, ends with status 1 and writes nothing")
  func modelCompilerPrintsProblemsInTheCompilers() throws {
    let model = try ModelFolder("Sample.xcdatamodeld", ["Sample": ModelText.file("<x/>\n<entity/>")])
    let folder = try TemporaryFolder("compiled")
    let result = try run(["App", model.path, folder.path])
    let file = model.path + "/Sample.xcdatamodel/contents"
    #expect(result.status == 1)
    #expect(
      result.errors
        == "\(file):3:1: warning: <model> has an unknown element <x>\n\(file):4:1: error: <entity> has no name\n")
    #expect(try folder.directory.entries() == [])
    #expect(try run(["App"]).status == 1)
    let good = try ModelFolder("Sample.xcdatamodeld", ["Sample": SampleModel.model])
    let failure = try run(["App", good.path, "/dev/null/x"])
    #expect(failure.status == 1)
    #expect(failure.errors.contains("/dev/null/x:1:1: error: the sources can't be written: "))
  }

  // [model-check-6]
  @Test(
    "the model compiler does not wait for a pipe in a model",
    arguments: ["Sample.xcdatamodel/contents", ".xccurrentversion"])
  func modelCompilerDoesNotWait(name: String) throws {
    let model = try ModelFolder("Sample.xcdatamodeld", ["Sample": SampleModel.model])
    let pipe = model.path + "/" + name
    #expect(try runProgram("/bin/rm", ["-f", pipe]) == 0)
    #expect(try runProgram("/usr/bin/mkfifo", [pipe]) == 0)
    let result = try run(["App", model.path, model.path + "/out"])
    #expect(result.status == 1)
    #expect(result.errors.hasSuffix("\(pipe):1:1: error: the file can't be read: it is not a file\n"))
  }
}
