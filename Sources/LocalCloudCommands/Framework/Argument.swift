/// A positional argument that a command declares: an ``Argument``, ``OptionalArgument`` or ``ArgumentList``.
package protocol ArgumentDeclaration: Sendable {
  var description: ArgumentDescription { get }
}

/// An argument that has to be given. `context[argument]` is its value.
package struct Argument<Value: Sendable>: ArgumentDeclaration {
  package private(set) var description: ArgumentDescription

  package init(_ name: String, _ type: ValueType<Value>, help: String) {
    description = ArgumentDescription(name, type, help: help)
  }
}

/// An argument that may be left out. `context[argument]` is its value; nil if it was left out.
package struct OptionalArgument<Value: Sendable>: ArgumentDeclaration {
  package private(set) var description: ArgumentDescription

  package init(_ name: String, _ type: ValueType<Value>, help: String) {
    description = ArgumentDescription(name, type, help: help)
    description.isOptional = true
  }
}

/// The last argument of a command, which takes all further words. `context[argument]` is the list of their values.
package struct ArgumentList<Value: Sendable>: ArgumentDeclaration {
  package private(set) var description: ArgumentDescription

  /// - Parameters:
  ///   - optional: whether the list may be empty.
  ///   - endsOptions: whether all words after its first one belong to the list, also those that begin with `-`.
  package init(
    _ name: String, _ type: ValueType<Value>, optional: Bool = false, endsOptions: Bool = false, help: String
  ) {
    description = ArgumentDescription(name, type, help: help)
    description.isOptional = optional
    description.isRepeating = true
    description.endsOptions = endsOptions
  }
}

extension Argument<String> {
  package init(_ name: String, completes kind: CompletionKind = .none, help: String) {
    self.init(name, .text, help: help)
    description.completes = kind
  }
}

extension OptionalArgument<String> {
  package init(_ name: String, completes kind: CompletionKind = .none, help: String) {
    self.init(name, .text, help: help)
    description.completes = kind
  }
}

extension ArgumentList<String> {
  package init(
    _ name: String, optional: Bool = false, endsOptions: Bool = false, completes kind: CompletionKind = .none,
    help: String
  ) {
    self.init(name, .text, optional: optional, endsOptions: endsOptions, help: help)
    description.completes = kind
  }
}
