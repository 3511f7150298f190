import LocalCloudModel

/// Options that several share commands have in common.
enum ShareOptions {
  static let title = OptionDescription.value("title", "TITLE", help: "what people read when they are invited")
  static let publicPermission = OptionDescription.value(
    "public-permission", "PERMISSION", allowed: SharePermission.publicNames,
    help: "what everybody with the link may do: none, readOnly or readWrite")

  static func permission(_ help: String) -> OptionDescription {
    .value("permission", "PERMISSION", allowed: SharePermission.names, help: help)
  }
}

extension ShareOptions {
  static let role = OptionDescription.value(
    "role", "ROLE", allowed: ["administrator", "participant"],
    help: "administrator: they may change the list and the share's title, too")

  /// An option for a person that requests access or is blocked.
  static func person(_ help: String) -> OptionDescription {
    .value("person", "WHO", repeating: true, required: true, help: help + ": an address, a number or an account")
  }
}

extension CommandContext {
  var role: ParticipantRole? {
    string("role").map { $0 == "administrator" ? .administrator : .privateUser }
  }

  var permission: SharePermission? { string("permission").flatMap(SharePermission.init(text:)) }
  var publicPermission: SharePermission? { string("public-permission").flatMap(SharePermission.init(text:)) }

  /// The title as a field of the share; an empty title removes the field.
  var titleFields: [String: FieldValue?] {
    guard let title = string("title") else { return [:] }
    let value: FieldValue? = title.isEmpty ? nil : .string(title)
    return ["cloudkit.title": value]
  }
}
