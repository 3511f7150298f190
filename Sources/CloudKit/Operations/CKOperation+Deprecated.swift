import Foundation

// The settings that operations had before there were configurations.
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

  /// The time in seconds to wait for the next part of the response.
  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var timeoutIntervalForRequest: TimeInterval {
    get { configuration.timeoutIntervalForRequest }
    set { configuration.timeoutIntervalForRequest = newValue }
  }

  /// The time in seconds to wait for the whole response.
  @available(*, deprecated, message: "Use CKOperationConfiguration")
  public var timeoutIntervalForResource: TimeInterval {
    get { configuration.timeoutIntervalForResource }
    set { configuration.timeoutIntervalForResource = newValue }
  }
}
