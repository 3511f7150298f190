import LocalCloudCommands
import LocalCloudPlatform
import LocalCloudStorage
import Testing

@Suite("Endless inputs, and inputs that are not files")
struct EndlessInputTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice")
    try cli.expect("zone", "save", "Z", as: "alice")
    try cli.expect("record", "save", "T", "-z", "Z", "-n", "r", as: "alice")
    folder = try TransferFolder()
  }

  static let textCommands: [[String]] = [
    ["schema", "import", "FILE"], ["schema", "validate", "FILE"],
    [
      "cktool", "import-schema", "--container-id", "iCloud.example.Commands", "--environment", "development", "--file",
      "FILE",
    ],
    [
      "cktool", "validate-schema", "--container-id", "iCloud.example.Commands", "--environment", "development",
      "--file", "FILE",
    ],
    ["record", "save", "T", "-z", "Z", "--fields-file", "FILE"],
    ["record", "update", "r", "-z", "Z", "--fields-file", "FILE"],
    [
      "cktool", "create-record", "--container-id", "iCloud.example.Commands", "--environment", "development",
      "--database-type", "private", "--record-type", "T", "--fields-file", "FILE",
    ],
  ]

  private func failure(_ words: [String], _ file: String, input: String = "") throws -> (JSONValue?, ExitCode) {
    let run = cli.run(words.map { $0 == "FILE" ? file : $0 } + ["--json"], as: "alice", input: input)
    return (try JSONValue(parsing: run.error)["error"], run.code)
  }

  @Test(
    "a text input is refused beyond 16 MiB, from a device, a file and standard input", arguments: textCommands.indices)
  func textInputIsRefusedBeyond16MiB(index: Int) throws {
    let words = Self.textCommands[index]
    let before = try cli.tree()
    let large = String(repeating: " ", count: (16 << 20) + 1)
    let file = try folder.write("large", Array(large.utf8))
    for (path, input) in [("/dev/zero", ""), (file, ""), ("-", large)] {
      let (error, code) = try failure(words, path, input: input)
      let name = path == "-" ? "standard input" : path
      #expect(code == .failure, "\(name)")
      #expect(error?["code"] == "badInput", "\(name)")
      #expect(error?["message"]?.string == "cannot read \(name): it has more than 16 MiB")
      #expect(error?["path"]?.string == (path == "-" ? nil : path))
      #expect(error?["hint"]?.string?.isEmpty == false, "\(name)")
    }
    #expect(try cli.tree() == before)
  }

  @Test("a folder as a text input is refused", arguments: textCommands.indices)
  func folderAsATextInputIsRefused(index: Int) throws {
    let (error, code) = try failure(Self.textCommands[index], folder.path)
    #expect(code == .storage)
    #expect(error?["message"]?.string == "cannot read \(folder.path): Is a directory")
  }

  @Test("import refuses a stream of more than 256 MiB without a line break", arguments: ["/dev/zero", "/dev/full"])
  func importRefusesAStreamOfMore(path: String) throws {
    let before = try cli.tree()
    let (error, code) = try failure(["import", "FILE"], path)
    #expect(code == .failure)
    #expect(error?["code"] == "badInput")
    #expect(error?["message"]?.string == "cannot read \(path): it has more than 256 MiB without a line break")
    #expect(try cli.tree() == before)
  }

  @Test(
    "init refuses endless files for a new cloud",
    arguments: [("--schema", "16 MiB"), ("--seed-from", "256 MiB without a line break")])
  func initRefusesEndlessFiles(option: String, limit: String) throws {
    let (error, code) = try failure(["init", folder.file("new"), "--people", "alice", option, "FILE"], "/dev/zero")
    #expect(code == .failure)
    #expect(error?["code"] == "badInput")
    #expect(error?["message"]?.string == "cannot read /dev/zero: it has more than \(limit)")
  }

  @Test("--fields-stdin is refused beyond 16 MiB")
  func fieldsOfStandardInput() throws {
    let large = String(repeating: " ", count: (16 << 20) + 1)
    let (error, code) = try failure(["record", "save", "T", "-z", "Z", "--fields-stdin"], "", input: large)
    #expect(code == .failure)
    #expect(error?["message"]?.string == "cannot read standard input: it has more than 16 MiB")
  }

  @Test("import refuses a folder and accepts an empty input")
  func importRefusesAFolderAndAccepts() throws {
    let (error, code) = try failure(["import", "FILE"], folder.path)
    #expect(code == .storage)
    #expect(error?["message"]?.string == "cannot read \(folder.path): Is a directory")
    #expect(cli.run("import", "/dev/null", as: "alice").code == .success)
  }

  @Test("an asset must be a regular file", arguments: ["/dev/zero", "/dev/full", "/dev/null", "/"])
  func assetMustBeARegularFile(path: String) throws {
    let (error, code) = try failure(["record", "save", "T", "-z", "Z", "photo:asset=\(path)"], "")
    #expect(code == .notFound)
    #expect(error?["path"]?.string == path)
  }
}
