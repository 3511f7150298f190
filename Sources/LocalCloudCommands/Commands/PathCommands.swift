import LocalCloudModel
import LocalCloudObjectStore
import LocalCloudPlatform
import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// A command that prints the absolute path of a file or a folder, for scripts that read it.
protocol PathCommand: Command {
  /// The path, whether or not anything is there. Throws if the caller can't see what is named.
  func path(_ context: CommandContext) throws -> String
}

extension PathCommand {
  func run(_ context: CommandContext) throws {
    let path = try path(context)
    guard UserFile.exists(path) else {
      throw CommandFailure(
        .notFound, code: "notFound", "there is nothing at \(path) yet",
        hint: "a folder is made when the first file is stored in it", path: path)
    }
    if context.format.isJSON { return try context.writeResult(["path": .string(path)], text: "") }
    try context.writeLines([path])
  }
}

struct PathCloudCommand: PathCommand {
  static let description = CommandDescription(
    "path", "cloud", summary: "Print the cloud's folder",
    examples: [.init("A copy of it", "cp -r \"$(localcloud path cloud)\" backup")], exitCodes: [.noStore])

  func path(_ context: CommandContext) throws -> String {
    try context.session(as: .administrator).service.cloud.path
  }
}

struct PathDatabaseCommand: PathCommand {
  static let description = CommandDescription(
    "path", "database", summary: "Print the folder of a database",
    examples: [.init("The public one", "ls \"$(localcloud path database --database public)\"")],
    exitCodes: [.noStore, .notFound, .refused])

  func path(_ context: CommandContext) throws -> String {
    let session = try context.session()
    return try session.service.zones.path(of: context.scope(), by: session.caller)
  }
}

struct PathZoneCommand: PathCommand {
  static let description = CommandDescription(
    "path", "zone", summary: "Print the folder of a zone",
    discussion: "A zone that somebody shares is in the folder of its owner.",
    examples: [.init("Its records", "ls \"$(localcloud path zone Contacts)/records\"")],
    exitCodes: [.noStore, .notFound, .refused])

  let name = Argument<String>("name", help: "the zone's name")
  let owner = ZoneOptions.owner

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { [owner] }

  func path(_ context: CommandContext) throws -> String {
    let target = try context.zoneTarget(named: context[name], owner: context[owner])
    _ = try target.service.zones.list([target.zone], in: target.scope, by: target.caller)[0].get()
    return try target.service.zones.path(of: target.zone, in: target.scope, by: target.caller)
  }
}

struct PathRecordCommand: PathCommand {
  static let description = CommandDescription(
    "path", "record", summary: "Print the file of a record",
    discussion: "A record of a zone that somebody shares is in the folder of its owner.",
    examples: [
      .init("As Web Services has it", "jq .fields \"$(localcloud path record ada --zone Contacts)\""),
      .init("Its history in git", "git log -p \"$(localcloud path record ada --zone Contacts)\""),
    ],
    exitCodes: [.noStore, .notFound, .refused])

  let name = Argument<String>("name", help: "the record's name")
  let zone = ZoneOptions()

  var arguments: [any ArgumentDeclaration] { [name] }
  var options: [any OptionDeclaration] { zone.options }

  func path(_ context: CommandContext) throws -> String {
    let target = try zone.target(context)
    let record = try target.fetch(ExactName(context[name]), keys: [])
    return try target.service.zones.path(ofRecord: record.id, in: target.scope, by: target.caller)
  }
}

struct PathAccountCommand: PathCommand {
  static let description = CommandDescription(
    "path", "account", summary: "Print the file of an account",
    examples: [.init("Its addresses", "jq .emails \"$(localcloud path account alice)\"")],
    exitCodes: [.noStore, .notFound])

  let name = OptionalArgument<String>.account

  var arguments: [any ArgumentDeclaration] { [name] }

  func path(_ context: CommandContext) throws -> String {
    let session = try context.session()
    return session.service.accounts.path(of: try context.account(context[name], of: session))
  }
}

struct PathDeviceCommand: PathCommand {
  static let description = CommandDescription(
    "path", "device", summary: "Print the folder of a device",
    examples: [.init("What waits on it", "ls \"$(localcloud path device alice-device)\"")],
    exitCodes: [.noStore, .notFound])

  let name = OptionalArgument<String>("name", help: "the device; else the one that acts")

  var arguments: [any ArgumentDeclaration] { [name] }

  func path(_ context: CommandContext) throws -> String {
    guard let name = try context[name] ?? context.settings().deviceName else {
      throw CommandFailure.usage("no device was named", hint: "name one, or set LOCALCLOUD_ACCOUNT")
    }
    let devices = try context.session(as: .administrator).service.devices
    guard try devices.device(name) != nil else {
      throw CommandFailure.notFound("there is no device \(name)", hint: try devices.absenceHint(name))
    }
    return devices.path(of: name)
  }
}

struct PathStoreCommand: PathCommand {
  static let description = CommandDescription(
    "path", "store", summary: "Print the folder of a Core Data store",
    discussion: "Without links and relative parts, and only if it is a store.",
    examples: [.init("For another folder", "store=$(localcloud path store private.sqlite)")],
    exitCodes: [.notFound, .unknownFormat, .storage])

  let store = Argument<String>.objectStore

  var arguments: [any ArgumentDeclaration] { [store] }

  func path(_ context: CommandContext) throws -> String {
    _ = try ObjectStore.summary(context[store])
    return UserFile.resolved(context[store]) ?? context[store]
  }
}
