import Foundation
import LocalCloudFoundationPredicates
import LocalCloudModel
import LocalCloudPredicateFormat

extension NSPredicate {
  /// The reason why Apple's `CKQuery` raises an exception for the predicate; nil if it does not.
  /// NOTE: the texts come from reports. The error's userInfo repeats them and is left out.
  var refusalByQueries: String? {
    guard let tree, let problem = Self.problem(in: tree) else { return nil }
    return "Invalid predicate: \(Self.text(tree)) (Error Domain=\(CKErrorDomain) Code=12 \"\(problem)\")"
  }

  /// The error message of every query with this predicate; nil if it does not fail in every cloud.
  var refusalByRequests: String? {
    do throws(ServiceError) {
      // The names of users in the predicate make no difference here.
      _ = try QueryTranslation(translator: Translator(ownName: nil)).condition(self)
      return nil
    } catch {
      return error.message
    }
  }

  private static func problem(in tree: PredicateTree) -> String? {
    switch tree {
    case .constant: nil
    case .and(let members): members.lazy.compactMap(problem).first
    case .not(let member): problem(in: member)
    case .or: "Invalid predicate \(text(tree))"
    case .comparison(let comparison):
      if let value = QueryOperand.constant(of: comparison.left), QueryOperand.constant(of: comparison.right) != nil {
        "Invalid left expression in <\(text(tree))>: <\(value)> is not an evaluated object expression"
      } else {
        nil
      }
    }
  }

  private static func text(_ tree: PredicateTree) -> String { (try? tree.format) ?? "" }
}

extension QueryOperand {
  /// The format of a predicate with the same value for every record; nil for other predicates.
  fileprivate static func constant(of tree: ExpressionTree) -> String? {
    guard case .constant? = try? QueryOperand(tree) else { return nil }
    return (try? tree.format) ?? ""
  }
}
