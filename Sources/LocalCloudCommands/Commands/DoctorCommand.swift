import LocalCloudEmulator
import LocalCloudModel
import LocalCloudService

struct DoctorCommand: Command {
  static let description = CommandDescription(
    "doctor", summary: "Look for what is wrong with the machine, the settings and the cloud's folder",
    discussion: """
      Prints a line for each check: ok, a warning, or a problem, and the next step. The checks: the format of the cloud and \
      of the stores that are named; free space and files; whether the file system locks and renames files; owners and \
      permissions; leftovers of interrupted work and of ended processes; the machine's clock and the cloud's; the \
      system's limits; libcrypto; settings that name accounts, devices and files that are missing. It works on a \
      damaged cloud, and reads no records: "check" and "store check" do. It writes nothing but a temporary file in the \
      cloud's folder, which tries locks.
      """,
    examples: [
      .init("Before a bug report", "localcloud doctor"),
      .init("In a script", "localcloud doctor --json | jq '.checks[] | select(.state != \"ok\")'"),
      .init("With Core Data stores", "localcloud doctor private.sqlite shared.sqlite"),
    ],
    exitCodes: [.problemsFound])

  let stores = ArgumentList<String>(
    "store", optional: true, completes: .folder, help: "folders of Core Data stores to examine as well")

  var arguments: [any ArgumentDeclaration] { [stores] }

  func run(_ context: CommandContext) throws {
    let diagnoses = try Doctor(
      settings(context), root: root(context), stores: context[stores], environment: context.environment
    ).diagnoses
    try context.writeResult(
      list: "checks", diagnoses.map { .object($0.document) },
      table: Table(
        ["state", "check", "finding", "next step"],
        rows: diagnoses.map { [$0.state.rawValue, $0.check, $0.message, $0.advice ?? ""] }))
    if diagnoses.contains(where: { $0.state == .problem }) { throw SilentExit(.problemsFound) }
  }

  private func settings(_ context: CommandContext) -> Result<Settings, ServiceError> {
    do throws(ServiceError) { return .success(try context.settings()) } catch { return .failure(error) }
  }

  /// The path of the cloud, also if another setting is wrong.
  private func root(_ context: CommandContext) throws(ServiceError) -> String {
    let variable = context.environment(Settings.Variable.root.rawValue).flatMap { $0.isEmpty ? nil : $0 }
    return try context.settings(root: context[GlobalOptions.root] ?? variable, isolated: true).root.value
  }
}
