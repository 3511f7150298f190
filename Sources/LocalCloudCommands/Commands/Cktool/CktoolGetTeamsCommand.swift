package enum CktoolGetTeamsCommand: Command {
  package static let description = CommandDescription(
    "cktool", "get-teams", summary: "Print the one team there is, for scripts that look for theirs",
    discussion: CktoolOptions.note,
    examples: [.init("Its identifier", "localcloud cktool get-teams | cut -d: -f1")],
    options: [CktoolOptions.token])

  package static func run(_ context: CommandContext) throws {
    try context.emit(
      ["teams": [["name": "LocalCloudKit", "teamId": "LOCALCLOUD"]]], text: "LOCALCLOUD: LocalCloudKit")
  }
}
