import PredicateFormat

/// What a class of the frameworks above is to a predicate: a value of the language, or an object that answers for its keys.
package protocol PredicateValueConvertible {
  /// Asked for while a predicate is made or evaluated, on the app's own thread.
  var predicateValue: PredicateValue { get }
}
