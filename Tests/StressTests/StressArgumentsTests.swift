import LocalCloudPlatform
import TestSupport
import Testing

@Suite("Arguments of the Stress program")
struct StressArgumentsTests {
  private func run(_ arguments: [String]) throws -> (status: Int32, output: String, errors: String) {
    let child = try ChildProcess(StressProgram.path, arguments)
    let status = child.wait()
    return (status, child.output, child.errors)
  }

  @Test(
    "invalid arguments end with status 64 and an error, and start nothing",
    arguments: [
      (["0"], "'0' is no command, and no number of rounds above 0"), (["1", "2"], "'1 2'"),
      (["corruption", "--cnt", "5"], "corruption has no option '--cnt'"),
      (["corruption", "--count"], "--count wants a number"),
      (["faults", "a save"], "no kind of commit is called 'a save'; there are\n  save\n  batch\n"),
      (["faults", "--seed", "-1"], "--seed wants a number"), (["model", "--fault", "x"], "--fault wants the name"),
      (["model", "20"], "model has no option '20'"), (["engine", "--times"], "engine has no option '--times'"),
      (["histories", "--plant", "x"], "--plant wants the name of an edit"),
      (["histories", "5"], "histories has no option '5'"),
      (["schemas", "many"], "schemas has no option 'many'"),
    ])
  func invalidArgumentsEndWithStatus64(arguments: [String], text: String) throws {
    let (status, output, errors) = try run(arguments)
    #expect(status == 64)
    #expect(output == "")
    #expect(errors.hasPrefix("Stress: error: "), "\(errors)")
    #expect(errors.contains(text), "\(errors)")
    #expect(errors.hasSuffix("'Stress --help' says what there is.\n"))
  }

  @Test("--help names every command")
  func helpNamesEveryCommand() throws {
    let (status, output, errors) = try run(["--help"])
    #expect(status == 0)
    #expect(errors == "")
    for command in ["faults", "corruption", "model", "histories", "engine", "predicates", "schemas"] {
      #expect(output.contains("Stress \(command)"))
    }
  }
}
