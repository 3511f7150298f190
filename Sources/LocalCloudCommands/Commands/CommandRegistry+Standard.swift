extension CommandRegistry {
  /// Every command of the tool, in the order that help lists them.
  package static let standard = CommandRegistry(
    [
      InitCommand.self, StatusCommand.self, EnvCommand.self,
      AccountAddCommand.self, AccountListCommand.self, AccountShowCommand.self, AccountSetCommand.self,
      AccountRemoveCommand.self,
      ZoneSaveCommand.self, ZoneListCommand.self, ZoneDeleteCommand.self,
      RecordSaveCommand.self, RecordGetCommand.self, RecordListCommand.self, RecordDeleteCommand.self,
      ChangesCommand.self,
      ShareCreateCommand.self, ShareShowCommand.self, ShareInviteCommand.self, ShareSetCommand.self,
      ShareRemoveCommand.self, ShareLinkCommand.self, ShareVerifyCommand.self, ShareAcceptCommand.self,
      ShareStopCommand.self, ShareLeaveCommand.self, ShareRequestCommand.self, ShareApproveCommand.self,
      ShareDenyCommand.self, ShareBlockCommand.self, ShareUnblockCommand.self, ShareManageCommand.self,
      OpenCommand.self,
      CheckCommand.self, RepairCommand.self, HelpCommand.self, VersionCommand.self,
    ],
    nouns: [
      "account": "Add, change and list people's accounts",
      "record": "Save, read and delete records",
      "share": "Share records, invite people, join and leave",
      "zone": "Make, list and delete zones",
    ])
}
