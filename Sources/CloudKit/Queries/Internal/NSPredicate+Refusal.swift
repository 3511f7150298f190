import CloudModel
import Foundation
import FoundationPredicates
import PredicateFormat

extension NSPredicate {
  /// Why Apple's `CKQuery` raises an exception over the predicate; nil if it does not.
  // NOTE: the texts are those of reports, without the error's userInfo, which repeats them.
  var refusalByQueries: String? {
    guard let tree, let problem = Self.problem(in: tree) else { return nil }
    return "Invalid predicate: \(Self.text(tree)) (Error Domain=\(CKErrorDomain) Code=12 \"\(problem)\")"
  }

  /// What a query with the predicate fails with when it runs, whatever the cloud holds; nil if it does not.
  var refusalByRequests: String? {
    do throws(ServiceError) {
      // Whose names stand in it makes no difference.
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
  /// In words, if it is the same for every record.
  fileprivate static func constant(of tree: ExpressionTree) -> String? {
    guard case .constant? = try? QueryOperand(tree) else { return nil }
    return (try? tree.format) ?? ""
  }
}
