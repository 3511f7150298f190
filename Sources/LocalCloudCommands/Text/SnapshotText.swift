import LocalCloudService
import LocalCloudStorage
import LocalCloudStore

/// Formats snapshots for people.
enum SnapshotText {
  static func table(_ snapshots: [Snapshot]) -> Table {
    Table(
      [
        "snapshot", "created", Table.Column("accounts", .right), Table.Column("zones", .right),
        Table.Column("records", .right), "note",
      ],
      rows: snapshots.map { snapshot in
        [
          snapshot.name, Timestamp.text(milliseconds: snapshot.created), "\(snapshot.accounts.count)",
          "\(snapshot.zones.count)", "\(snapshot.records)", snapshot.note ?? "",
        ]
      })
  }

  static func zones(_ snapshot: Snapshot) -> Table {
    Table(
      ["container", "environment", "database", "account", "zone", Table.Column("records", .right)],
      rows: snapshot.zones.map { zone in
        let database = zone.path.database
        return [
          database.container.string, database.environment, database.scope.first ?? "", zone.path.account ?? "-",
          zone.path.zone.string, "\(zone.records)",
        ]
      })
  }

  static func details(_ snapshot: Snapshot, width: Int?) -> StyledText {
    var list = DetailList("snapshot \(snapshot.name, .bold)")
    list.add("note", snapshot.note)
    list.add("created", Timestamp.text(milliseconds: snapshot.created))
    list.add("accounts", snapshot.accounts.isEmpty ? "none" : snapshot.accounts.joined(separator: ", "))
    return snapshot.zones.isEmpty ? list.text : list.text + "\n" + zones(snapshot).aligned(width: width)
  }

  /// `3 records in 2 zones, 1 account`
  static func contents(_ snapshot: Snapshot) -> String {
    "\(snapshot.records.counted("record")) in \(snapshot.zones.count.counted("zone")), "
      + snapshot.accounts.count.counted("account")
  }

  /// `2 records are lost, 1 record gets its earlier contents`
  static func text(_ effect: RestoreEffect) -> String {
    let parts =
      text(effect.accounts, "account") + text(effect.schemas, "schema")
      + text(effect.subscriptions, "subscription") + text(effect.zones, "zone", "properties")
      + text(effect.records, "record")
    return parts.isEmpty ? "nothing is lost" : parts.joined(separator: ", ")
  }

  /// - Parameter part: the part of a changed thing that the restore brings back.
  private static func text(
    _ counts: RestoreEffect.Counts, _ thing: String, _ part: String = "contents"
  ) -> [String] {
    var parts: [String] = []
    func add(_ number: Int, _ one: String, _ several: String) {
      if number > 0 { parts.append("\(number.counted(thing)) \(number == 1 ? one : several)") }
    }
    add(counts.lost, "is lost", "are lost")
    add(counts.changed, "gets its earlier \(part)", "get their earlier \(part)")
    add(counts.returning, "comes back", "come back")
    return parts
  }
}
