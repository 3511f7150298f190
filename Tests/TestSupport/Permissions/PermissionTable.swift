/// The permissions in a shared zone, written by hand from the rules on sharing. Each line ends with the rule that it
/// tests. An owner's 31 is [record-parent-4], 9 is [account-state-1], 26 [zone-owner-3], 12 [share-list-4].
/// A cell is the code of the error, or: `ok`, the action is done; `leaves`, the person leaves the share and the owner's
/// data is unchanged; `nothing`, a success without effect; letters, the visible records: (r)oot, (c)hild, (o)utside,
/// (s)hare.
package struct PermissionTable: Sendable {
  package enum Kind: String, Sendable, CaseIterable {
    case hierarchical
    case zoneWide
  }

  package enum Who: String, Sendable, CaseIterable {
    case owner, writer, reader, pending, removed, left, linkReader, linkWriter, stranger, signedOut
  }

  package struct Cell: Sendable, CustomStringConvertible {
    package var kind: Kind
    package var who: Who
    package var action: String
    package var target: String
    package var expected: String
    package var source: String

    package var description: String { "\(kind): \(who) \(action) \(target) → \(expected) \(source)" }
  }

  /// "decrypt" reads an encrypted value ([encryption-share-1]). "create" saves a record below the root, the child or
  /// the record outside, without a parent ("zone"), or a share of the child ("share"). "update share" changes its
  /// title; "update zone" saves the zone.
  private static let hierarchical = """
                    owner writer reader pending removed left linkReader linkWriter stranger signedOut rules
    fetch   root    ok    ok     ok     26      26      26   ok         ok         26       9         [share-window-2]
    fetch   child   ok    ok     ok     26      26      26   ok         ok         26       9         [share-window-2]
    fetch   outside ok    11     11     26      26      26   11         11         26       9         [share-window-2]
    fetch   share   ok    ok     ok     26      26      26   ok         ok         26       9         [share-window-2]
    decrypt root    ok    ok     ok     26      26      26   ok         ok         26       9         [share-window-2]
    decrypt child   ok    ok     ok     26      26      26   ok         ok         26       9         [share-window-2]
    decrypt outside ok    11     11     26      26      26   11         11         26       9         [share-window-2]
    fetch   zone    ok    ok     ok     26      26      26   ok         ok         26       9         [share-window-1]
    query   zone    cor   cr     cr     26      26      26   cr         cr         26       9         [query-zone-2]
    feed    zone    cors  crs    crs    26      26      26   crs        crs        26       9         [change-shared-1]
    create  root    ok    ok     10     26      26      26   10         ok         26       9         [share-write-2]
    create  child   ok    ok     10     26      26      26   10         ok         26       9         [share-write-2]
    create  outside ok    10     10     26      26      26   10         10         26       9         [share-write-2]
    create  zone    ok    10     10     26      26      26   10         10         26       9         [share-write-2]
    create  share   30    10     10     26      26      26   10         10         26       9         [share-create-6]
    update  root    ok    ok     10     26      26      26   10         ok         26       9         [share-write-1]
    update  child   ok    ok     10     26      26      26   10         ok         26       9         [share-write-1]
    update  outside ok    11     11     26      26      26   11         11         26       9         [share-window-2]
    update  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    update  zone    ok    24     24     24      24      24   24         24         24       9         [zone-save-4]
    delete  root    31    leaves leaves 26      26      26   leaves     leaves     26       9         [share-leave-1]
    delete  child   ok    ok     10     26      26      26   10         ok         26       9         [share-write-4]
    delete  outside ok    nothing nothing 26      26      26   nothing    nothing    26       9         [share-window-2]
    delete  share   ok    leaves leaves 26      26      26   leaves     leaves     26       9         [share-leave-1]
    delete  zone    ok    leaves leaves 26      26      26   leaves     leaves     26       9         [share-leave-1]
    invite  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    permit  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    remove  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    quit    share   12    leaves leaves 26      26      26   leaves     leaves     26       9         [share-leave-1]
    open    share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    """

  private static let zoneWide = """
                    owner writer reader pending removed left linkReader linkWriter stranger signedOut rules
    fetch   root    ok    ok     ok     26      26      26   ok         ok         26       9         [share-zone-2]
    fetch   child   ok    ok     ok     26      26      26   ok         ok         26       9         [share-zone-2]
    fetch   outside ok    ok     ok     26      26      26   ok         ok         26       9         [share-zone-2]
    fetch   share   ok    ok     ok     26      26      26   ok         ok         26       9         [share-zone-2]
    decrypt root    ok    ok     ok     26      26      26   ok         ok         26       9         [share-zone-2]
    decrypt child   ok    ok     ok     26      26      26   ok         ok         26       9         [share-zone-2]
    decrypt outside ok    ok     ok     26      26      26   ok         ok         26       9         [share-zone-2]
    fetch   zone    ok    ok     ok     26      26      26   ok         ok         26       9         [share-window-1]
    query   zone    cor   cor    cor    26      26      26   cor        cor        26       9         [query-zone-2]
    feed    zone    cors  cors   cors   26      26      26   cors       cors       26       9         [change-shared-1]
    create  root    ok    ok     10     26      26      26   10         ok         26       9         [share-write-2]
    create  child   ok    ok     10     26      26      26   10         ok         26       9         [share-write-2]
    create  outside ok    ok     10     26      26      26   10         ok         26       9         [share-write-2]
    create  zone    ok    ok     10     26      26      26   10         ok         26       9         [share-write-2]
    create  share   15    10     10     26      26      26   10         10         26       9         [share-zone-3]
    update  root    ok    ok     10     26      26      26   10         ok         26       9         [share-write-1]
    update  child   ok    ok     10     26      26      26   10         ok         26       9         [share-write-1]
    update  outside ok    ok     10     26      26      26   10         ok         26       9         [share-write-1]
    update  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    update  zone    ok    24     24     24      24      24   24         24         24       9         [zone-save-4]
    delete  root    31    31     10     26      26      26   10         31         26       9         [share-write-4]
    delete  child   ok    ok     10     26      26      26   10         ok         26       9         [share-write-4]
    delete  outside ok    ok     10     26      26      26   10         ok         26       9         [share-write-4]
    delete  share   ok    leaves leaves 26      26      26   leaves     leaves     26       9         [share-leave-1]
    delete  zone    ok    leaves leaves 26      26      26   leaves     leaves     26       9         [share-leave-1]
    invite  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    permit  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    remove  share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    quit    share   12    leaves leaves 26      26      26   leaves     leaves     26       9         [share-leave-1]
    open    share   ok    10     10     26      26      26   10         10         26       9         [share-manage-2]
    """

  package static let cells: [Cell] = Kind.allCases.flatMap { kind in
    let lines = (kind == .hierarchical ? hierarchical : zoneWide).split(separator: "\n")
    let people = lines[0].split(separator: " ").dropLast().compactMap { Who(rawValue: String($0)) }
    precondition(people == Who.allCases, "the columns are the people")
    return lines.dropFirst().flatMap { line in
      let words = line.split(separator: " ").map(String.init)
      precondition(words.count > 2 + people.count, "a cell is missing: \(line)")
      let source = words[(2 + people.count)...].joined(separator: " ")
      return people.enumerated().map { index, who in
        Cell(kind: kind, who: who, action: words[0], target: words[1], expected: words[2 + index], source: source)
      }
    }
  }
}
