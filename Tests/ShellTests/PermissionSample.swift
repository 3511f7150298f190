import TestSupport

/// The cells that are tested with processes: every subject, every target and every action of the tool. The tool can't
/// fetch a zone by its name, and creates only the caller's own zones.
enum PermissionSample {
  private static let hierarchical = """
    fetch  root     writer reader pending stranger
    fetch  child    linkReader
    fetch  outside  writer linkWriter
    fetch  share    reader removed
    decrypt root    owner removed
    decrypt child   writer reader linkReader stranger
    decrypt outside reader
    query  zone     owner writer reader left linkWriter stranger
    feed   zone     owner writer linkWriter signedOut
    create root     writer reader
    create child    writer linkReader
    create outside  writer
    create zone     owner linkWriter
    create share    owner reader
    update root     linkReader linkWriter
    update child    writer reader stranger
    update outside  reader
    update share    owner writer linkWriter
    update zone     owner signedOut
    delete root     owner reader
    delete child    writer linkReader
    delete outside  owner writer
    delete share    owner reader linkReader
    delete zone     writer removed
    invite share    owner writer linkWriter
    permit share    owner reader linkReader
    remove share    owner writer linkReader
    quit   share    owner writer linkWriter pending
    open   share    owner reader left
    """

  private static let zoneWide = """
    fetch  root     left
    fetch  outside  reader linkReader
    fetch  share    stranger
    decrypt child   reader removed linkReader
    query  zone     owner writer pending removed linkReader signedOut
    feed   zone     reader signedOut
    create root     linkReader
    create outside  linkWriter
    create zone     writer reader
    create share    owner writer
    update child    linkWriter
    update outside  writer reader
    update share    reader
    update zone     owner
    delete root     owner writer reader
    delete outside  linkReader linkWriter
    delete share    owner writer linkWriter
    delete zone     owner reader pending
    invite share    owner reader
    permit share    owner linkWriter
    remove share    owner reader removed
    quit   share    owner reader linkReader
    open   share    owner linkWriter
    """

  static let cells: [PermissionTable.Cell] = PermissionTable.Kind.allCases.flatMap { kind in
    let lines = (kind == .hierarchical ? hierarchical : zoneWide).split(separator: "\n")
    return lines.flatMap { line in
      let words = line.split(separator: " ").map(String.init)
      return words.dropFirst(2).map { who in
        let cell = PermissionTable.cells.first {
          $0.kind == kind && $0.action == words[0] && $0.target == words[1] && $0.who.rawValue == who
        }
        guard let cell else { preconditionFailure("no such cell: \(line)") }
        return cell
      }
    }
  }
}
