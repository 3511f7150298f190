import Foundation

/// A method by its name. The plugin `AppleSources` creates one for each `#selector`, with the method in it.
///
/// - Difference: A selector created from a string has a name only: sending it stops the program.
public struct Selector: Sendable {
  private let name: String
  /// Calls the method of the first value with the second one.
  private let method: (@Sendable (Any, Any?) -> Any?)?

  /// The selector of that name.
  public init(_ string: String) {
    name = string
    method = nil
  }

  /// For the plugin: a method without parameters.
  ///
  /// As on Apple's platforms the caller's thread calls it, also if it is isolated to an actor; therefore the type is
  /// changed.
  public init<Receiver, Result>(
    _ name: String, of type: Receiver.Type, _ method: @escaping @Sendable @MainActor (Receiver) -> Result
  ) {
    let method = unsafeBitCast(method, to: (@Sendable (Receiver) -> Result).self)
    self.name = name
    self.method = { receiver, _ in method(Self.cast(receiver, name)) }
  }

  /// For the plugin: a method with one parameter.
  public init<Receiver, Argument, Result>(
    _ name: String, of type: Receiver.Type, _ method: @escaping @Sendable @MainActor (Receiver, Argument) -> Result
  ) {
    let method = unsafeBitCast(method, to: (@Sendable (Receiver, Argument) -> Result).self)
    self.name = name
    self.method = { receiver, argument in method(Self.cast(receiver, name), Self.cast(argument as Any, name)) }
  }

  private static func cast<Value>(_ value: Any, _ name: String) -> Value {
    guard let value = value as? Value else {
      preconditionFailure("the method \(name) takes a \(Value.self), not a \(type(of: value))")
    }
    return value
  }

  /// Calls the method.
  func send(to receiver: Any, with argument: Any? = nil) -> Any? {
    guard let method else {
      preconditionFailure("no method is known of the selector \(name): it was made of a string; write #selector")
    }
    return method(receiver, argument)
  }
}

extension Selector: Hashable, CustomStringConvertible, ExpressibleByStringLiteral {
  /// The selector of that name.
  public init(stringLiteral value: String) { self.init(value) }

  /// Whether the names are equal.
  public static func == (left: Selector, right: Selector) -> Bool { left.name == right.name }

  /// Equal names have equal hash values.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { name }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The name of a selector.
public func NSStringFromSelector(_ selector: Selector) -> String { selector.description }

// swift-format-ignore: AlwaysUseLowerCamelCase
/// The selector of a name.
public func NSSelectorFromString(_ name: String) -> Selector { Selector(name) }

extension NSObject {
  /// - Difference: Only objects are returned. Because no pool releases them, the caller owns them:
  ///   `takeRetainedValue()`.
  @discardableResult
  public func perform(_ selector: Selector!) -> Unmanaged<AnyObject>! { perform(selector, with: nil) }

  /// Calls the method of a selector with an argument.
  @discardableResult
  public func perform(_ selector: Selector!, with object: Any!) -> Unmanaged<AnyObject>! {
    let result = selector.send(to: self, with: object)
    guard let result, type(of: result) is AnyClass else { return nil }
    return Unmanaged.passRetained(result as AnyObject)
  }
}
