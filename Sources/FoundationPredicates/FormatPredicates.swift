import Foundation
import LocalCloudPredicateFormat

#if !canImport(ObjectiveC)
  /// The class of compounds created from a format.
  final class FormatCompound: NSCompoundPredicate {
    override func copy(with zone: NSZone? = nil) -> Any {
      FormatCompound(type: compoundPredicateType, subpredicates: subpredicates)
    }
    override func isEqual(_ object: Any?) -> Bool { isAlike(object) }
    override var hash: Int { tree?.hashValue ?? 0 }
    override var description: String { format ?? super.description }
    override var predicateFormat: String { format ?? super.description }
  }

  extension NSPredicate {
    final var format: String? { try? writtenTree?.format }

    /// Whether the other one is a predicate of the same kind with the same format. It calls no block of a program.
    final func isAlike(_ other: Any?) -> Bool {
      guard let other = other as? NSPredicate else { return false }
      if other === self { return true }
      guard (self is NSCompoundPredicate) == (other is NSCompoundPredicate), !other.hasBlock, !hasBlock,
        let tree = other.tree
      else { return false }
      return self.tree == tree
    }

    /// Whether a part of the predicate is a block, or of a class of the program.
    private var hasBlock: Bool {
      if let compound = self as? NSCompoundPredicate { return compound.subpredicates.contains { $0.hasBlock } }
      return
        !(self is _NSComparisonPredicate || isEqual(NSPredicate(value: true)) || isEqual(NSPredicate(value: false)))
    }
  }

  extension NSPredicate {
    /// Creates the predicate for a tree, of the same class as in Apple's framework.
    package static func make(_ tree: PredicateTree) -> NSPredicate {
      switch tree {
      case .constant(let truth): NSPredicate(value: truth)
      case .comparison: ObjectClass.instance(of: FormatComparison.self, tree)
      case .and(let members): FormatCompound(type: .and, subpredicates: members.map(make))
      case .or(let members): FormatCompound(type: .or, subpredicates: members.map(make))
      case .not(let member): FormatCompound(type: .not, subpredicates: [make(member)])
      }
    }
  }

  /// Creates objects of classes with initializers that stop the process in Foundation.
  package enum ObjectClass {
    /// Creates a predicate of a class. Stops the process for a class with stored properties of its own, because no
    /// initializer would set them.
    package static func instance<Predicate: NSPredicate>(of type: Predicate.Type, _ tree: PredicateTree) -> Predicate {
      if type == _NSComparisonPredicate.self || type == NSPredicate.self || type == NSCompoundPredicate.self,
        let predicate = NSPredicate.make(tree) as? Predicate
      {
        return predicate
      }
      let predicate = NSPredicate(tree: tree)
      guard hasSize(of: NSPredicate.self, type) else {
        raiseException(
          "On Linux a predicate of the class \(type) can't be made from a format or of expressions, as it has stored "
            + "properties. Use NSPredicate, and keep the properties elsewhere.")
      }
      set(type, of: predicate)
      return unsafeDowncast(predicate, to: Predicate.self)
    }

    /// Changes an object's class to another one of the same size. The class is the first reference in the object's
    /// memory.
    static func set(_ type: AnyClass, of object: AnyObject) {
      Unmanaged.passUnretained(object).toOpaque()
        .storeBytes(of: unsafeBitCast(type, to: UInt.self), as: UInt.self)
    }

    /// Whether objects of two classes have the same size. If so, a subclass has no stored properties of its own.
    static func hasSize(of one: AnyClass, _ other: AnyClass) -> Bool { size(of: one) == size(of: other) }

    /// The number of bytes of an object.
    static func size(of type: AnyClass) -> Int { instanceSize(type) }
  }

  /// A function of the standard library. `ManagedBuffer` calls it in code that is compiled into programs.
  @_silgen_name("$ss36_class_getInstancePositiveExtentSizeySiyXlXpF")
  private func instanceSize(_ type: AnyClass) -> Int
#endif
