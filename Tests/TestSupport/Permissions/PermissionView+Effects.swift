/// The state of the stage, and the effect of each action on it. Written by hand from the rules, like the table.
extension PermissionView {
  /// The state before any action.
  package init(of kind: PermissionTable.Kind, _ who: PermissionTable.Who) {
    notes = [
      "root": Note("1", share: kind == .hierarchical ? "share" : nil), "child": Note("1", parent: "root"),
      "outside": Note("1"),
    ]
    var share = Share(
      kind.shareName, publicPermission: "none",
      people: [
        Person("Alice", "owner", "readWrite", isAccepted: true),
        Person("Carol", "privateUser", "readWrite", isAccepted: true),
      ])
    switch who {
    case .writer: share.people.append(Person("Bob", "privateUser", "readWrite", isAccepted: true))
    case .reader: share.people.append(Person("Bob", "privateUser", "readOnly", isAccepted: true))
    // A person that left is invited again ([share-leave-2]).
    case .pending, .left: share.people.append(Person("Bob", "privateUser", "readWrite", isAccepted: false))
    case .linkReader, .linkWriter:
      share.publicPermission = who == .linkReader ? "readOnly" : "readWrite"
      share.people[1...] = [
        Person("Carol", "publicUser", share.publicPermission, isAccepted: true),
        Person("Bob", "publicUser", share.publicPermission, isAccepted: true),
      ]
    case .owner, .removed, .stranger, .signedOut: break
    }
    shares = [share]
  }

  /// The state after the cell's action; nil if the zone is deleted.
  package static func after(_ cell: PermissionTable.Cell) -> PermissionView? {
    var view = PermissionView(of: cell.kind, cell.who)
    if cell.expectation == .leaves {
      view.leave()
      return view
    }
    guard cell.expectation == .done else { return view }
    switch (cell.action, cell.target) {
    case ("create", "zone"): view.notes["new"] = Note("2")
    case ("create", _): view.notes["new"] = Note("2", parent: cell.target)
    case ("update", "zone"): break
    case ("update", "share"): view.shares[0].title = "2"
    case ("update", _): view.notes[cell.target]?.text = "2"
    case ("delete", "zone"): return nil
    case ("delete", "share"):
      view.shares = []
      view.notes["root"]?.share = nil
    case ("delete", _): view.notes[cell.target] = nil
    case ("invite", _): view.shares[0].people.append(Person("Dora", "privateUser", "readOnly", isAccepted: false))
    case ("permit", _): view.shares[0].people[1].permission = "readOnly"
    case ("remove", _): view.shares[0].people.removeLast()
    case ("open", _): view.shares[0].publicPermission = "readOnly"
    default: break
    }
    return view
  }

  /// Makes Bob pending again, or removes him if he joined by the public link ([share-leave-2]).
  private mutating func leave() {
    guard let index = shares[0].people.firstIndex(where: { $0.name == "Bob" }) else { return }
    if shares[0].people[index].role == "publicUser" {
      shares[0].people.remove(at: index)
    } else {
      shares[0].people[index].isAccepted = false
    }
  }
}
