extension CommandRegistry {
  /// Every command of the tool, in the order that help lists them.
  package static let standard = CommandRegistry(
    [
      InitCommand.self, StatusCommand.self, EnvCommand.self,
      AccountAddCommand.self, AccountListCommand.self, AccountShowCommand.self, AccountSetCommand.self,
      AccountRemoveCommand.self, AccountDiscoverabilityCommand.self, AccountResetKeysCommand.self,
      AccountPurgeCommand.self,
      DeviceListCommand.self, DeviceSignInCommand.self, DeviceSignOutCommand.self,
      ZoneSaveCommand.self, ZoneListCommand.self, ZoneDeleteCommand.self,
      RecordSaveCommand.self, RecordGetCommand.self, RecordListCommand.self, RecordDeleteCommand.self,
      ChangesCommand.self, ExportCommand.self, ImportCommand.self,
      ShareCreateCommand.self, ShareShowCommand.self, ShareInviteCommand.self, ShareSetCommand.self,
      ShareRemoveCommand.self, ShareLinkCommand.self, ShareVerifyCommand.self, ShareAcceptCommand.self,
      ShareStopCommand.self, ShareLeaveCommand.self, ShareRequestCommand.self, ShareApproveCommand.self,
      ShareDenyCommand.self, ShareBlockCommand.self, ShareUnblockCommand.self, ShareManageCommand.self,
      OpenCommand.self,
      SchemaExportCommand.self, SchemaImportCommand.self, SchemaValidateCommand.self, SchemaDiffCommand.self,
      SchemaDeployCommand.self,
      SubscriptionCreateCommand.self, SubscriptionListCommand.self, SubscriptionDeleteCommand.self,
      PushListCommand.self, PushWatchCommand.self, PushReplayCommand.self,
      CheckCommand.self, RepairCommand.self, HelpCommand.self, VersionCommand.self,
    ],
    nouns: [
      "account": "Add, change and list people's accounts",
      "device": "Sign in and out on devices",
      "push": "List, watch and repeat what came to a device",
      "record": "Save, read and delete records",
      "schema": "Print, change and deploy the schema",
      "share": "Share records, invite people, join and leave",
      "subscription": "Ask for pushes about changes",
      "zone": "Make, list and delete zones",
    ])
}
