import Foundation

// The settings of before there were configurations.
extension CKOperation {
  /// The container of the request.
  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var container: CKContainer? {
    get { configuration.container }
    set { configuration.container = newValue }
  }

  /// Whether the request may use a cellular network.
  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var allowsCellularAccess: Bool {
    get { configuration.allowsCellularAccess }
    set { configuration.allowsCellularAccess = newValue }
  }

  /// Whether the operation outlives the process, see `CKOperationConfiguration`.
  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var isLongLived: Bool {
    get { configuration.isLongLived }
    set { configuration.isLongLived = newValue }
  }

  /// How long to wait for a next piece of the answer.
  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var timeoutIntervalForRequest: TimeInterval {
    get { configuration.timeoutIntervalForRequest }
    set { configuration.timeoutIntervalForRequest = newValue }
  }

  /// How long to wait for the whole answer.
  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var timeoutIntervalForResource: TimeInterval {
    get { configuration.timeoutIntervalForResource }
    set { configuration.timeoutIntervalForResource = newValue }
  }
}
