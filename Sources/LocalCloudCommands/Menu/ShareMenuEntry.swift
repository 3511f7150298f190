/// What the menu of `share manage` offers.
enum ShareMenuEntry: String, CaseIterable {
  case invite = "i"
  case permission = "p"
  case remove = "r"
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
    case .open: "change what whoever has the link may do"
    case .stop: "stop sharing"
    case .leave: "leave the share"
    case .copy: "show the link, to be copied"
    case .refresh: "look again"
    case .quit: "quit"
    }
  }

  /// Those for the share's owner, or for everybody else.
  static func entries(isOwner: Bool) -> [ShareMenuEntry] {
    allCases.filter { entry in
      switch entry {
      case .invite, .permission, .remove, .open, .stop: isOwner
      case .leave: !isOwner
      case .copy, .refresh, .quit: true
      }
    }
  }
}
