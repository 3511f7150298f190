import LocalCloudModel
import LocalCloudStorage
import LocalCloudStore

/// Formats pushes for people.
struct PushText {
  let people: People

  func table(_ pushes: [DeliveredPush], taken: Int64) -> Table {
    Table(
      [Table.Column("push", .right), "sent", "subscription", "kind", "what", "zone", "alert", "state"],
      rows: pushes.map { push in
        cells(push) + [push.sequence <= taken ? "taken" : "waiting"]
      })
  }

  /// Formats a push as one line.
  func line(_ push: DeliveredPush) -> StyledText {
    let cells = cells(push)
    var text: StyledText = "\(cells[0], .dim)  \(cells[1])  \(cells[2], .bold)  \(cells[3])  \(cells[4])  \(cells[5])"
    if !cells[6].isEmpty { text.append("  \(cells[6])" as StyledText) }
    return text
  }

  func cells(_ push: DeliveredPush) -> [String] {
    let owner = push.zone.owner == push.userRecordName ? "" : people.name(of: push.zone.owner)
    return [
      "\(push.sequence)", Timestamp.text(milliseconds: push.sent), push.subscriptionID,
      "\(push.scope.name) \(push.subscriptionType)", what(push),
      push.zone.name.string + (owner.isEmpty || push.scope != .shared ? "" : " of \(owner)"), alert(push),
    ]
  }

  private func what(_ push: DeliveredPush) -> String {
    let query = push.userInfo["ck"]?["qry"]
    let words: [Int64: String] = [1: "created", 2: "updated", 3: "deleted"]
    guard let word = query?["fo"]?.integer.flatMap({ words[$0] }) else { return "changed" }
    return "\(word) \(query?["rid"]?.string ?? "")"
  }

  private func alert(_ push: DeliveredPush) -> String {
    let alert = push.userInfo["aps"]?["alert"]
    return alert?.string ?? ["title", "body", "title-loc-key", "loc-key"].lazy.compactMap { alert?[$0]?.string }.first
      ?? ""
  }
}
