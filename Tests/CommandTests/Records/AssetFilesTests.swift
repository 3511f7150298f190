import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite("The option --asset-files")
struct AssetFilesTests {
  private let cli: Cli
  private let folder: TransferFolder

  init() throws {
    cli = try Cli("alice")
    folder = try TransferFolder()
    try cli.expect("zone", "save", "Z", as: "alice")
    let one = try folder.write("one", Array("one".utf8))
    let two = try folder.write("two", Array("two!".utf8))
    try cli.expect(
      "record", "save", "Photo", "-z", "Z", "-n", "a/b", "image:asset=\(one)",
      "images:asset-list=[\"\(two)\",\"\(one)\"]", "title=x", as: "alice")
  }

  private func get(_ words: String...) -> ToolRun {
    cli.run(["record", "get", "a/b", "-z", "Z", "--asset-files"] + words, as: "alice")
  }

  /// The message of a refusal.
  private func refusal(_ run: ToolRun) throws -> String? {
    #expect(run.code == .usage)
    #expect(run.output == "")
    return try JSONValue(parsing: run.error)["error"]?["message"]?.string
  }

  @Test("with a folder all assets are written as files named by record, field and position in the list")
  func intoFolder() throws {
    let out = folder.file("out")
    let run = get(out, "--json")
    #expect(run.code == .success, "\(run.error)")
    #expect(try folder.names("out") == ["a%2Fb.image", "a%2Fb.images.1", "a%2Fb.images.2"])
    #expect(try folder.text("out/a%2Fb.image") == "one")
    #expect(try folder.text("out/a%2Fb.images.1") == "two!" && folder.text("out/a%2Fb.images.2") == "one")
    let fields = try JSONValue(parsing: run.output)["fields"]
    #expect(fields?["image"]?["value"]?["downloadURL"]?.string == "file://\(out)/a%252Fb.image")
    #expect(
      fields?["images"]?["value"]?.array?.map { $0["downloadURL"]?.string }
        == ["file://\(out)/a%252Fb.images.1", "file://\(out)/a%252Fb.images.2"])
    #expect(fields?["title"]?["value"] == "x")
  }

  @Test("with FIELD=PATH only the named field's asset is written, to a file or into a folder")
  func fieldByField() throws {
    let named = get("image=\(folder.file("new/pic.txt"))")
    #expect(named.code == .success)
    #expect(named.output.contains("  image:asset        \(folder.file("new/pic.txt"))\n"))
    #expect(try folder.names("new") == ["pic.txt"] && folder.text("new/pic.txt") == "one")
    // An asset that is not written is shown with its size and name, in a field and in a list.
    let left = named.output.split(separator: "\n").first { $0.contains("images:asset-list") } ?? ""
    #expect(
      left.wholeMatch(of: #/  images:asset-list  \[4 bytes, [0-9a-f]+-4, 3 bytes, [0-9a-f]+-3\]/#) != nil, "\(left)")
    // An existing folder, and a path that ends in a slash.
    #expect(get("image=\(folder.file("new"))").code == .success)
    #expect(get("image=\(folder.file("other"))/").code == .success)
    #expect(try folder.names("new") == ["a%2Fb.image", "pic.txt"] && folder.names("other") == ["a%2Fb.image"])
    #expect(get("images=\(folder.file("list/name"))", "image=\(folder.file("list/name"))").code == .success)
    #expect(try folder.names("list") == ["name", "name.1", "name.2"])
    // The option for a field has priority over the folder for all fields.
    #expect(get(folder.file("all"), "image=\(folder.file("single"))").code == .success)
    #expect(try folder.names("all") == ["a%2Fb.images.1", "a%2Fb.images.2"] && folder.text("single") == "one")
  }

  @Test("invalid values of --asset-files are refused before any file is written")
  func invalidValuesOfAssetFilesAreRefused() throws {
    let out = folder.file("out")
    #expect(try refusal(get(out, "two", "--json")) == "--asset-files names two folders")
    let expected = "expected FIELD=PATH or a folder"
    #expect(try refusal(get("image=", "--json")) == "--asset-files \"image=\": \(expected)")
    #expect(try refusal(get("=\(out)", "--json")) == "--asset-files \"=\(out)\": \(expected)")
    #expect(try refusal(get("image=\(out)", "image=x", "--json")) == "--asset-files names image twice")
    #expect(try folder.names() == ["one", "two"])
    let inside = get(cli.root + "/x")
    #expect(inside.code == .storage)
    #expect(inside.output == "")
    #expect(inside.error.contains("it lies in the cloud \(cli.root)\nhint: name a place outside of it\n"))
    let file = get(folder.file("one"))
    #expect(file.code == .storage)
    #expect(file.error.contains("cannot write \(folder.file("one"))/a%2Fb.image: "))
  }

  @Test("a field of type assetType is saved with the file that --asset-files gives for its key")
  func fieldOfTypeAssetTypeIsSaved() throws {
    func save(_ fields: String, _ files: String...) -> ToolRun {
      let words = [
        "record", "save", "Photo", "-z", "Z", "-n", "n", "--policy", "all", "--json", "--fields-json", fields,
      ]
      return cli.run(words + (files.isEmpty ? [] : ["--asset-files"] + files), as: "alice")
    }
    let single = #"{"image":{"type":"assetType","value":"K"}}"#
    let (one, two) = (folder.file("one"), folder.file("two"))
    #expect(try refusal(save(single)) == "field \"image\": no --asset-files K=PATH is given")
    #expect(try refusal(save(single, "k=\(one)")) == "field \"image\": no --asset-files K=PATH is given")
    for word in ["K", "K=", "=\(one)"] {
      #expect(try refusal(save(single, word)) == "--asset-files \"\(word)\": expected KEY=PATH")
    }
    #expect(try refusal(save(single, "K=\(one)", "K=\(two)")) == "--asset-files names K twice")
    let saved = save(single, "K=\(one)", "L=\(two)")
    #expect(saved.code == .success, "\(saved.error)")
    #expect(try JSONValue(parsing: saved.output)["fields"]?["image"]?["value"]?["size"] == 3)
    let list = save(#"{"images":{"type":"assetListType","value":["L","K","L"]}}"#, "K=\(one)", "L=\(two)")
    #expect(list.code == .success, "\(list.error)")
    let sizes = try JSONValue(parsing: list.output)["fields"]?["images"]?["value"]?.array?.map { $0["size"] }
    #expect(sizes == [4, 3, 4])
    // A list with one element is still a list.
    let short = save(#"{"images":{"type":"assetListType","value":["K"]}}"#, "K=\(one)")
    #expect(try JSONValue(parsing: short.output)["fields"]?["images"]?["value"]?.array?.count == 1)
    #expect(
      try refusal(save(#"{"image":{"type":"assetType","value":5}}"#))
        == "--fields-json: field \"image\": an asset's value is a key of --asset-files")
  }
}
