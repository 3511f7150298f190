import LocalCloudCoreDataModel
import LocalCloudPlatform
import Testing

@Suite("Model packages")
struct ModelPackageTests {
  private let first = ModelText.file("<entity name=\"First\"/>")
  private let second = ModelText.file("<entity name=\"Second\"/>")

  /// The problems of a folder that is refused, without the folder's path.
  private func problems(_ folder: ModelFolder) -> [String] {
    do throws(ModelFailure) {
      _ = try ModelPackage(path: folder.path)
      return []
    } catch { return error.problems.map { $0.description.replacing(folder.path, with: "…") } }
  }

  // [model-file-1] [model-file-2]
  @Test("all versions of a model package are read, and one is current")
  func allVersionsOfAModelPackage() throws {
    let folder = try ModelFolder(
      "My Model.xcdatamodeld", ["My Model": first, "My Model 2": second, "My Model 10": first],
      current: ModelFolder.currentVersion(named: "My Model 2.xcdatamodel"))
    let package = try ModelPackage(path: folder.path + "/")
    #expect(package.name == "My Model")
    #expect(package.versions.map(\.model.versionName) == ["My Model", "My Model 10", "My Model 2"])
    #expect(package.current.model.versionName == "My Model 2")
    #expect(package.current.model.entities.map(\.name) == ["Second"])
    #expect(package.current.contents == second)
    #expect(package.current.path == folder.path + "/My Model 2.xcdatamodel/contents")
  }

  // [model-file-2]
  @Test(
    "a model with one version needs no file that names the current version",
    arguments: [nil, ModelFolder.currentVersion("")])
  func oneVersion(_ current: String?) throws {
    let folder = try ModelFolder("Model.xcdatamodeld", ["Only": first], current: current)
    #expect(try ModelPackage(path: folder.path).current.model.versionName == "Only")
  }

  // [model-file-1]
  @Test("a folder .xcdatamodel without a package is a model with one version")
  func folderXcdatamodelWithoutAPackage() throws {
    let folder = try ModelFolder("Model.xcdatamodel", ["": first])
    let package = try ModelPackage(path: folder.path)
    #expect(package.name == "Model")
    #expect(package.versions.map(\.model.versionName) == ["Model"])
  }

  @Test("the contents are stored without byte order mark and with line feeds only")
  func contentsAreStoredWithoutByteOrderMark() throws {
    let folder = try ModelFolder("Model.xcdatamodeld", ["M": "\u{FEFF}" + first.replacing("\n", with: "\r\n")])
    #expect(try ModelPackage(path: folder.path).current.contents == first)
  }

  // [model-file-4]
  @Test("warnings of all versions are reported")
  func warningsOfAllVersionsAreReported() throws {
    let folder = try ModelFolder("Model.xcdatamodeld", ["A": ModelText.file("<x/>")])
    let warnings = try ModelPackage(path: folder.path).warnings.map { $0.description.replacing(folder.path, with: "…") }
    #expect(warnings == ["…/A.xcdatamodel/contents:3:1: warning: <model> has an unknown element <x>"])
  }

  // [model-file-2] [model-check-1]
  @Test("a package without a unique current version, or with unreadable files, is refused with the reason")
  func packageWithoutAUniqueCurrentVersion() throws {
    #expect(
      problems(try ModelFolder("Model.xcdatamodeld", ["A": first, "B": second])) == [
        "…:1:1: error: 2 versions are there, and .xccurrentversion does not say which is current"
      ])
    #expect(
      problems(
        try ModelFolder(
          "Model.xcdatamodeld", ["A": first], current: ModelFolder.currentVersion(named: "B.xcdatamodel"))) == [
          "…/.xccurrentversion:1:1: error: the current version 'B.xcdatamodel' is not there"
        ])
    #expect(
      problems(try ModelFolder("Model.xcdatamodeld", ["A": first], current: "bplist00")) == [
        "…/.xccurrentversion:1:1: error: expected an element"
      ])
    #expect(
      problems(try ModelFolder("Model.xcdatamodeld", ["A": first], current: "<plist>\n<array/></plist>")) == [
        "…/.xccurrentversion:1:1: error: expected a property list with a dictionary"
      ])
    #expect(
      problems(
        try ModelFolder(
          "Model.xcdatamodeld", ["A": first], current: "<plist><dict>\n<key>_XCCurrentVersionName</key></dict></plist>")
      )
        == ["…/.xccurrentversion:2:1: error: expected the name of a version"])
    #expect(
      problems(try ModelFolder("Model.xcdatamodeld", [:])) == [
        "…:1:1: error: the model has no version: no folder .xcdatamodel is in it"
      ])
    #expect(
      problems(try ModelFolder("Model.xcdatamodel", [:])) == [
        "…/contents:1:1: error: the file can't be read: No such file or directory"
      ])
    #expect(
      problems(try ModelFolder("Model.mom", [:])) == ["…:1:1: error: a model is a folder .xcdatamodeld or .xcdatamodel"]
    )
    let failure = #expect(throws: ModelFailure.self) { try ModelPackage(path: "/nowhere/Model.xcdatamodeld") }
    #expect(
      failure?.description
        == "/nowhere/Model.xcdatamodeld:1:1: error: the model can't be read: No such file or directory")
  }

  // [model-check-1]
  @Test("errors of all versions are reported together")
  func errorsOfAllVersionsAreReportedTogether() throws {
    let folder = try ModelFolder(
      "Model.xcdatamodeld", ["A": "<model><entity/></model>", "B": "<model>", "C": first])
    #expect(
      problems(folder) == [
        "…/A.xcdatamodel/contents:1:8: error: <entity> has no name",
        "…/B.xcdatamodel/contents:1:1: error: <model> is not closed",
      ])
  }

  // [model-check-6]
  @Test(
    "a model file that is a device, a folder or too long is refused", arguments: ["contents", ".xccurrentversion"])
  func modelFileThatIsADevice(name: String) throws {
    let foreign: [(command: [String], reason: String)] = [
      (["/bin/ln", "-s", "/dev/zero"], "it is not a file"), (["/bin/ln", "-s", "/dev/null"], "it is not a file"),
      (["/bin/mkdir"], "Is a directory"), (["/usr/bin/truncate", "-s", "16777217"], "it has more than 16 MiB"),
    ]
    for (command, reason) in foreign {
      let model = try ModelFolder("Model.xcdatamodeld", name == "contents" ? [:] : ["A": first])
      try Directory.make(path: model.path + "/A.xcdatamodel", in: FileSystem())
      let folder = name == "contents" ? "/A.xcdatamodel/" : "/"
      #expect(try runProgram(command[0], command.dropFirst() + [model.path + folder + name]) == 0)
      #expect(problems(model) == ["…\(folder)\(name):1:1: error: the file can't be read: \(reason)"])
    }
  }
}
