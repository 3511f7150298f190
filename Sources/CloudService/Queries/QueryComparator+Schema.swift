import LocalCloudModel

extension QueryComparator.Family {
  /// Whether fields of this type can be compared with this comparator ([query-filter-7]); bytes and assets never can.
  func allows(_ element: SchemaFieldType.Element) -> Bool {
    switch (self, element) {
    case (_, .asset), (_, .bytes): false
    case (.equality, _), (.membership, _), (.member, _), (.members, _): true
    case (.range, .double), (.range, .int64), (.range, .number), (.range, .timestamp), (.range, .string): true
    case (.prefix, .string), (.memberPrefix, .string), (.tokens, .string), (.distance, .location): true
    default: false
    }
  }

  /// The kinds of index that serve the comparator; one of them is enough.
  ///
  /// - Assumption: a range or a prefix is served by a QUERYABLE or by a SORTABLE index.
  var indexes: SchemaField.Indexes {
    switch self {
    case .range, .prefix: [.queryable, .sortable]
    case .tokens: .searchable
    case .equality, .membership, .member, .members, .memberPrefix, .distance: .queryable
    }
  }
}
