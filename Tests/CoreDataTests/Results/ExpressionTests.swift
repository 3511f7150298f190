import CoreData
import Foundation
import Testing

@Suite("NSExpression on Linux")
struct ExpressionTests {
  @Test("expressions return their parts")
  func expressionsReturnTheirParts() throws {
    let path = _NSExpression(forKeyPath: "author.name")
    #expect(path.expressionType == .keyPath)
    #expect(path.keyPath == "author.name")
    #expect(path.description == "author.name")
    #expect(path.copy() as? _NSExpression === path)
    let constant = _NSExpression(forConstantValue: Date(timeIntervalSinceReferenceDate: 3))
    #expect(constant.expressionType == .constantValue)
    #expect(constant.constantValue as? Date == Date(timeIntervalSinceReferenceDate: 3))
    #expect(_NSExpression(forConstantValue: nil).constantValue == nil)
    let sum = _NSExpression(forFunction: "add:to:", arguments: [path, _NSExpression(forConstantValue: 2)])
    #expect(sum.expressionType == .function)
    #expect(sum.function == "add:to:")
    #expect(sum.arguments?.count == 2)
    #expect(sum.arguments?.first == path)
    #expect(sum.arguments?[1].constantValue as? Int == 2)
    #expect(_NSExpression.expressionForEvaluatedObject().expressionType == .evaluatedObject)
    #expect(_NSExpression(forVariable: "x").variable == "x")
    let list = _NSExpression(forAggregate: [path, 1])
    #expect(list.expressionType == .aggregate)
    #expect((list.collection as? [_NSExpression])?.first == path)
    let choice = _NSExpression(
      forConditional: NSPredicate(format: "a > 1"), trueExpression: path, falseExpression: constant)
    #expect(choice.expressionType == .conditional)
    #expect(choice.true == path)
    #expect(choice.false == constant)
    let some = _NSExpression(
      forSubquery: _NSExpression(forKeyPath: "tags"), usingIteratorVariable: "t",
      predicate: NSPredicate(format: "$t.name == 'a'"))
    #expect(some.expressionType == .subquery)
    #expect(some.variable == "t")
    #expect((some.collection as? _NSExpression)?.keyPath == "tags")
  }

  @Test("expressions evaluate with objects, dictionaries and collections")
  func expressionsEvaluateWithObjectsDictionaries() {
    func value(_ format: String, _ object: Any? = nil, _ context: [String: Any] = [:]) -> Any? {
      _NSExpression(format: format).expressionValue(with: object, context: NSMutableDictionary(dictionary: context))
    }
    #expect(value("1 + 2 * 3") as? Int == 7)
    #expect(value("uppercase('abc')") as? String == "ABC")
    #expect(value("a.b", ["a": ["b": 5]]) as? Int == 5)
    #expect(value("$x + 1", nil, ["x": 2]) as? Int == 3)
    #expect(value("@sum.n", [["n": 1], ["n": 2]]) as? Int == 3)
    #expect(value("@distinctUnionOfObjects.n", [["n": 1], ["n": 1], ["n": 2]]) as? [Int] == [1, 2])
    #expect(
      _NSExpression(format: "%@ + %d", _NSExpression(forKeyPath: "n"), 1).expressionValue(with: ["n": 4], context: nil)
        as? Int == 5)
    let object = NSObject()
    #expect(
      _NSExpression.expressionForEvaluatedObject().expressionValue(with: object, context: nil) as? NSObject === object)
  }

  @Test("expressions may be arguments of a predicate")
  func expressionsMayBeArgumentsOfAPredicate() {
    let count = _NSExpression(forVariable: "count")
    let predicate = NSPredicate(format: "%@ > 1", count)
    #expect(predicate.withSubstitutionVariables(["count": 2]).evaluate(with: nil))
    #expect(!predicate.withSubstitutionVariables(["count": 1]).evaluate(with: nil))
    let bounds = [_NSExpression(forKeyPath: "low"), _NSExpression(forConstantValue: 9)]
    #expect(NSPredicate(format: "n BETWEEN %@", bounds).evaluate(with: ["n": 5, "low": 5]))
    #expect(!NSPredicate(format: "n BETWEEN %@", bounds).evaluate(with: ["n": 5, "low": 6]))
  }

  @Test("a comparison predicate is made of two expressions")
  func comparisonPredicateIsMadeOfTwoExpressions() {
    let path = _NSExpression(forKeyPath: "tags.name")
    let predicate = _NSComparisonPredicate(
      leftExpression: path, rightExpression: _NSExpression(forConstantValue: "A"), modifier: .any, type: .equalTo,
      options: [.caseInsensitive])
    #expect(predicate.leftExpression == path)
    #expect(predicate.rightExpression.constantValue as? String == "A")
    #expect(predicate.evaluate(with: ["tags": [["name": "a"]]]))
    #expect(!predicate.evaluate(with: ["tags": [] as [Any]]))
    let both = NSCompoundPredicate(andPredicateWithSubpredicates: [predicate, NSPredicate(format: "n BETWEEN {1, 2}")])
    #expect(both.evaluate(with: ["tags": [["name": "a"]], "n": 2]))
    #expect((predicate.copy() as? NSPredicate)?.evaluate(with: ["tags": [["name": "a"]]]) == true)
    #expect(predicate.comparisonPredicateModifier == .any)
    #expect(predicate.predicateOperatorType == .equalTo)
    #expect(predicate.options == .caseInsensitive)
    let between = _NSComparisonPredicate(
      leftExpression: path, rightExpression: path, modifier: .direct, type: .between, options: [])
    #expect(between.comparisonPredicateModifier == .direct)
    #expect(between.predicateOperatorType == .between)
    #expect(between.options == [])
  }

  @Test("substitution reaches every part of a compound and retains the predicate's class")
  func substitutionReachesEveryPartOfACompound() {
    let comparison = _NSComparisonPredicate(
      leftExpression: _NSExpression(forKeyPath: "n"), rightExpression: _NSExpression(forVariable: "n"),
      modifier: .direct, type: .lessThan, options: [])
    let filled = comparison.withSubstitutionVariables(["n": 3])
    #expect(filled.rightExpression.constantValue as? Int == 3)
    #expect(filled.evaluate(with: ["n": 2]))
    let template = NSCompoundPredicate(orPredicateWithSubpredicates: [
      comparison, NSCompoundPredicate(notPredicateWithSubpredicate: NSPredicate(format: "m == $m")),
    ])
    let compound = template.withSubstitutionVariables(["n": 3, "m": 1])
    #expect(compound.compoundPredicateType == .or)
    #expect(compound.subpredicates.count == 2)
    #expect(compound.evaluate(with: ["n": 2, "m": 1]))
    #expect(compound.evaluate(with: ["n": 4, "m": 2]))
    #expect(!compound.evaluate(with: ["n": 4, "m": 1]))
  }

  @Test("an unknown function or a wrong number of arguments stops the process")
  func unknownFunctionOrAWrongNumber() async {
    await #expect(processExitsWith: .failure) { _ = _NSExpression(forFunction: "shout:", arguments: [1]) }
    await #expect(processExitsWith: .failure) { _ = _NSExpression(forFunction: "add:to:", arguments: [1]) }
    await #expect(processExitsWith: .failure) { _ = _NSExpression(forKeyPath: "a").constantValue }
  }
}
