import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// Makes each request with a process of the command-line tool.
struct ToolPermissionRunner: PermissionRunner {
  let path: String
  let stage: PermissionStage

  /// The exit statuses for CloudKit's errors that `localcloud help exit-codes` documents.
  private static let statuses: [Int: Int] = [9: 15, 10: 15, 11: 13, 12: 1, 15: 1, 26: 13, 30: 1, 31: 1]

  /// Queries for all notes with and without filters and sorts. The visible records must be the same for each.
  private static let queries = [
    [], ["--filter", "text == \"1\""], ["--filter", "text == \"1\"", "--sort", "text:desc"], ["--sort", "text"],
  ]

  func outcome(of cell: PermissionTable.Cell) async -> String {
    let options = cell.action == "query" ? Self.queries : [[]]
    return PermissionQueries.outcome(options.map { outcome(of: cell, $0) })
  }

  private func outcome(of cell: PermissionTable.Cell, _ options: [String]) -> String {
    do {
      let run = try ToolProcess(words(of: cell) + options, as: cell.who.account, root: path)
      guard run.status == 0 else { return refusal(run) }
      if cell.action == "decrypt" {
        let field = run.result?["fields"]?["secret"]
        return field?["value"]?.string == PermissionStage.secret && field?["isEncrypted"] == true ? "ok" : "no value"
      }
      return ["query", "feed"].contains(cell.action) ? letters(run.result?["records"]?.array ?? []) : "ok"
    } catch {
      return "\(error)"
    }
  }

  /// The error's code, if standard error and the exit status agree.
  private func refusal(_ run: ToolProcess) -> String {
    guard let code = run.error?["ckErrorCode"]?.integer.map(Int.init), let status = Self.statuses[code],
      run.status == status, run.error?["exitCode"]?.integer == Int64(status), run.result == nil
    else { return "status \(run.status), \(run.text)" }
    return "\(code)"
  }

  private func letters(_ records: [JSONValue]) -> String {
    String(
      records.map { record in
        record["recordType"]?.string == "cloudkit.share" ? "s" : record["recordName"]?.string?.first ?? "?"
      }.sorted())
  }

  func ownersView() async throws -> PermissionView? {
    let run = try ToolProcess(["record", "list", "--zone", PermissionStage.zoneName], as: "alice", root: path)
    if run.error?["code"] == "zoneNotFound" { return nil }
    return PermissionView(run.result?["records"]?.array ?? [])
  }

  // MARK: Command lines

  private func words(of cell: PermissionTable.Cell) -> [String] {
    let command = command(of: cell)
    // The tool creates only the caller's own zones, so these commands have no owner.
    if command.starts(with: ["zone", "save"]) { return command }
    let zoneOptions = command[0] == "zone" ? [] : ["--zone", PermissionStage.zoneName]
    let whose = cell.who == .owner ? [] : ["--database", "shared", "--owner", stage.ownerName]
    return command + zoneOptions + whose
  }

  private func command(of cell: PermissionTable.Cell) -> [String] {
    let (name, share) = (cell.recordName, cell.kind.shareName)
    let comesByLink = cell.who.comesByLink
    switch (cell.action, cell.target) {
    case ("fetch", "share"): return ["share", "show", share]
    case ("fetch", _), ("decrypt", _): return ["record", "get", name]
    case ("query", _): return ["record", "query", "Note"]
    case ("feed", _): return ["changes"]
    case ("create", "share"): return ["share", "create", "child", "--share-name", "second"]
    case ("create", "zone"): return ["record", "save", "Note", "--name", "new", "text=2"]
    case ("create", _): return ["record", "save", "Note", "--name", "new", "--parent", name, "text=2"]
    case ("update", "share"): return ["share", "set", share, "--title", "2"]
    case ("update", "zone"): return ["zone", "save", PermissionStage.zoneName]
    case ("update", _): return ["record", "update", name, "text=2"]
    case ("delete", "share"): return ["share", cell.who == .owner ? "stop" : "leave", share]
    case ("delete", "zone"): return ["zone", "delete", PermissionStage.zoneName, "--yes"]
    case ("delete", _): return ["record", "delete", name]
    case ("invite", _): return ["share", "invite", share, "--to", "dora"]
    case ("permit", _):
      let isReader = cell.who == .reader || cell.who == .linkReader
      // A user of a link sees only the owner and themselves.
      let person = isReader || comesByLink ? "bob" : "carol"
      return ["share", "set", share, "--participant", person, "--permission", isReader ? "readWrite" : "readOnly"]
    case ("remove", _): return ["share", "remove", share, "--participant", comesByLink ? "alice" : "carol"]
    case ("quit", _): return ["share", "remove", share, "--participant", cell.who.account ?? "bob"]
    case ("open", _): return ["share", "set", share, "--public-permission", comesByLink ? "none" : "readOnly"]
    default: return ["no", "such", "action"]
    }
  }
}

extension PermissionView {
  /// Reads dictionaries of CloudKit Web Services. Their words differ from Apple's Swift names.
  fileprivate init(_ records: [JSONValue]) {
    self.init()
    let roles = ["OWNER": "owner", "USER": "privateUser", "PUBLIC_USER": "publicUser"]
    let permissions = ["NONE": "none", "READ_ONLY": "readOnly", "READ_WRITE": "readWrite"]
    func word(_ value: JSONValue?, _ words: [String: String]) -> String { words[value?.string ?? ""] ?? "unknown" }
    for record in records {
      let (name, fields) = (record["recordName"]?.string ?? "", record["fields"])
      if let people = record["participants"]?.array {
        shares.append(
          Share(
            name, title: fields?["cloudkit.title"]?["value"]?.string,
            publicPermission: word(record["publicPermission"], permissions),
            people: people.map { person in
              Person(
                person["userIdentity"]?["nameComponents"]?["givenName"]?.string ?? "nobody",
                word(person["type"], roles), word(person["permission"], permissions),
                isAccepted: person["acceptanceStatus"] == "ACCEPTED")
            }))
      } else {
        notes[name] = Note(
          fields?["text"]?["value"]?.string ?? "no text", parent: record["parent"]?["recordName"]?.string,
          share: record["share"]?["recordName"]?.string)
      }
    }
  }
}
