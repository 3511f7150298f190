/// The app's operation that a request is part of; the request log records it.
package struct OperationContext: Sendable, Hashable {
  package enum Life: Sendable, Hashable {
    /// Ends with its process.
    case short
    /// Long-lived, and started by this process.
    case long
    /// Long-lived, and started by a process that has ended: a part of it may be done.
    case resumed
  }

  package struct Group: Sendable, Hashable {
    package var id: String
    package var name: String?
    /// The expected number of operations; 0: not set.
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
  /// The class of the operation, for example `CKModifyRecordsOperation`; nil for a function without an operation of its
  /// own.
  package var kind: String?
  package var life = Life.short
  package var group: Group?

  package init(id: String, kind: String?, group: Group? = nil) {
    self.id = id
    self.kind = kind
    self.group = group
  }
}
