/// What a request is part of, in the app's terms: the log of requests tells it.
package struct OperationContext: Sendable, Hashable {
  package enum Life: Sendable, Hashable {
    /// Ends with its process.
    case short
    /// Long-lived, and begun just now.
    case long
    /// Long-lived, begun by a process that died: some of it may be done.
    case resumed
  }

  package struct Group: Sendable, Hashable {
    package var id: String
    package var name: String?
    /// 0: not said.
    package var quantity: Int
    package var expectedSendSize: String?
    package var expectedReceiveSize: String?

    package init(
      id: String, name: String?, quantity: Int, expectedSendSize: String?, expectedReceiveSize: String?
    ) {
      self.id = id
      self.name = name
      self.quantity = quantity
      self.expectedSendSize = expectedSendSize
      self.expectedReceiveSize = expectedReceiveSize
    }
  }

  package var id: String
  /// `CKModifyRecordsOperation`; nil for a function without an operation of its own.
  package var kind: String?
  package var life = Life.short
  package var group: Group?

  package init(id: String, kind: String?, group: Group? = nil) {
    self.id = id
    self.kind = kind
    self.group = group
  }
}
