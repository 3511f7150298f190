import LocalCloudModel

/// The effects of the import of a schema.
package struct SchemaImport: Sendable, Hashable {
  /// Data that was deleted.
  package struct Loss: Sendable, Hashable {
    /// A record type: records were deleted. A field: records lost its values.
    package var subject: SchemaChange.Subject
    package var records: Int
    package var zones: Set<EnvironmentZone>
  }

  /// The changes of the schema.
  package var changes: [SchemaChange] = []
  /// The deleted data: types first, including types of records that were deleted along with others.
  package var losses: [Loss] { tally.values.sorted { ($0.order, $0.subject.text) < ($1.order, $1.subject.text) } }
  /// The number of records that stayed and lost their parent.
  package private(set) var orphans = 0
  private var tally: [SchemaChange.Subject: Loss] = [:]

  /// Whether no data was changed.
  var isHarmless: Bool { tally.isEmpty && orphans == 0 }

  mutating func add(_ counts: SchemaLossCounts, in zone: EnvironmentZone) {
    orphans += counts.orphans
    for (subject, count) in counts.records {
      tally[subject, default: Loss(subject: subject, records: 0, zones: [])].records += count
      tally[subject]?.zones.insert(zone)
    }
  }
}

extension SchemaImport.Loss {
  fileprivate var order: Int { if case .type = subject { 0 } else { 1 } }
}

/// The data that one commit of an import deleted.
struct SchemaLossCounts: Sendable, Hashable {
  var records: [SchemaChange.Subject: Int] = [:]
  var orphans = 0

  mutating func add(_ subject: SchemaChange.Subject) { records[subject, default: 0] += 1 }
}
