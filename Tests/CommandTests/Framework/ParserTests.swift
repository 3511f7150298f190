import LocalCloudCommands
import LocalCloudStorage
import LocalCloudStore
import Testing

@Suite struct ParserTests {
  private func saved(_ run: ToolRun) throws -> JSONValue {
    #expect(run.code == .success, "\(run.error)")
    return try JSONValue(parsing: run.output)
  }

  @Test func optionsStandAnywhere() throws {
    let run = try saved(
      ToolRun("--json", "--root", "dir", "record", "--name=a=b", "save", "-f", "Note", "--tag", "x", "t=1", "--tag=y"))
    #expect(run["root"] == "dir")
    #expect(run["name"] == "a=b")
    #expect(run["force"] == true)
    #expect(run["type"] == "Note")
    #expect(run["tag"] == ["x", "y"])
    #expect(run["fields"]?["t"]?["value"] == "1")
  }

  @Test func shortOptionsFormClusters() throws {
    let run = try saved(ToolRun("record", "save", "-vvfnada", "Note", "--json"))
    #expect(run["verbose"] == 2)
    #expect(run["force"] == true)
    #expect(run["name"] == "ada")
    #expect(try saved(ToolRun("record", "save", "Note", "--json", "-fn", "ada"))["name"] == "ada")
  }

  @Test func doubleDashEndsOptions() throws {
    let run = try saved(ToolRun("record", "save", "--json", "--", "--force", "-x=1"))
    #expect(run["type"] == "--force")
    #expect(run["force"] == false)
    #expect(run["fields"]?["-x"]?["value"] == "1")
  }

  @Test func valuesMayBeEmptyADashOrNegative() throws {
    #expect(try saved(ToolRun("record", "save", "T", "--json", "--name="))["name"] == "")
    #expect(try saved(ToolRun("record", "save", "T", "--json", "--name", ""))["name"] == "")
    #expect(try saved(ToolRun("record", "save", "T", "--json", "--name", "-"))["name"] == "-")
    #expect(try saved(ToolRun("record", "save", "T", "--json", "--name", "-5"))["name"] == "-5")
    #expect(try saved(ToolRun("record", "save", "-", "--json"))["type"] == "-")
  }

  @Test func arrayOptionsTakeWordsUpToTheNextOption() throws {
    let run = try saved(ToolRun("record", "save", "T", "--sort-by", "a", "b", "--json", "--sort-by", "c"))
    #expect(run["sort-by"] == ["a", "b", "c"])
  }

  @Test func aliasesAndVariables() throws {
    let run = try saved(
      ToolRun(
        "record", "save", "T", "--database-type", "shared", "--json", environment: ["LOCALCLOUD_ACCOUNT": "anna"]))
    #expect(run["database"] == "shared")
    #expect(run["account"] == "anna from variable")
    let chosen = try saved(
      ToolRun("record", "save", "T", "--account=ben", "--json", environment: ["LOCALCLOUD_ACCOUNT": "anna"]))
    #expect(chosen["account"] == "ben from option")
  }

  @Test(arguments: UsageCase.all)
  func wrongUsage(_ usage: UsageCase) throws {
    let (words, message, hint) = (usage.words, usage.message, usage.hint)
    // The JSON form has message and hint as separate values.
    let run = ToolRun(words: words.contains("--json") ? words : ["--json"] + words)
    #expect(run.code == .usage)
    let error = try JSONValue(parsing: run.error)["error"]
    #expect(error?["message"]?.string == message)
    if let hint { #expect(error?["hint"]?.string == hint) }
  }

  @Test func variablesAreCheckedLikeOptions() {
    let run = ToolRun("record", "save", "T", environment: ["LOCALCLOUD_ENVIRONMENT": "prod"])
    #expect(run.code == .usage)
    #expect(run.error.contains("(LOCALCLOUD_ENVIRONMENT) cannot be \"prod\""))
    #expect(ToolRun("help", environment: ["LOCALCLOUD_ENVIRONMENT": "prod"]).code == .success)
    #expect(ToolRun("record", "save", "T", environment: ["LOCALCLOUD_ENVIRONMENT": ""]).code == .success)
  }

  @Test("all commands list the options and arguments that they declare, and have sound descriptions")
  func declarationsOfAllCommands() {
    #expect(SampleCommands.registry.problems == [])
    #expect(CommandRegistry.standard.problems == [])
  }

  @Test("the registry finds every mistake of a command description") func unsoundDescriptions() {
    let problems = [
      "bad: the summary is empty or ends in a full stop", "bad: two options are named x",
      "bad: FIRST repeats before the end", "bad: SECOND is required after an optional argument",
      "bad: no global option is named nothing", "bad: no option is named neither",
      "bad: the property neither is in no list of options or arguments",
      "bad: the property unlisted is in no list of options or arguments",
      "bad: the property number is in no list of options or arguments",
    ]
    #expect(SampleCommands.unsound.problems == problems + ["bad is there twice"] + problems)
  }

  @Test func suggestions() {
    #expect(WordSuggestion.distance("ab", "ba") == 1)
    #expect(WordSuggestion.distance("kitten", "sitting") == 3)
    #expect(WordSuggestion.nearest(to: "prod", among: ["development", "production"]) == "production")
    #expect(WordSuggestion.nearest(to: "xyz", among: ["record", "zone"]) == nil)
    #expect(WordSuggestion.nearest(to: "", among: ["record"]) == nil)
  }
}
