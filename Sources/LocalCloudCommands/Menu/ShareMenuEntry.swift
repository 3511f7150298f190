import LocalCloudModel

/// The entries of the menu of `share manage`.
enum ShareMenuEntry: String, CaseIterable {
  case invite = "i"
  case permission = "p"
  case remove = "r"
  case link = "n"
  case requests = "a"
  case open = "o"
  case stop = "s"
  case leave = "l"
  case copy = "c"
  case refresh = "u"
  case quit = "q"

  var title: String {
    switch self {
    case .invite: "invite somebody"
    case .permission: "change what somebody may do"
    case .remove: "remove somebody"
    case .link: "make a link that lets in one person"
    case .requests: "answer people who ask to be let in"
    case .open: "change what whoever has the link may do"
    case .stop: "stop sharing"
    case .leave: "leave the share"
    case .copy: "show the link, to be copied"
    case .refresh: "look again"
    case .quit: "quit"
    }
  }

  /// The entries that a participant of this role can use.
  static func entries(for role: ParticipantRole, _ details: ShareDetails) -> [ShareMenuEntry] {
    allCases.filter { entry in
      switch entry {
      case .invite, .permission, .remove, .link, .open: role == .owner || role == .administrator
      case .requests: !details.accessRequests.requesters.isEmpty
      case .stop: role == .owner
      case .leave: role != .owner
      case .copy, .refresh, .quit: true
      }
    }
  }
}
