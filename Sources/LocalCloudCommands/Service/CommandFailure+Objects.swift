import LocalCloudObjectStore

extension CommandFailure {
  /// A failure of a Core Data store.
  init(objects error: ObjectStoreError) {
    switch error {
    case .notAStore(let path):
      self.init(.notFound, code: "notAStore", "\(path) is not a store of LocalCloudKit's Core Data", path: path)
    case .missing(let path): self.init(.notFound, code: "storeNotFound", "there is no store at \(path)", path: path)
    case .otherModel(let path, let entities):
      self.init(
        .conflict, code: "otherModel", "\(path) was made with another version of \(entities.joined(separator: ", "))",
        path: path)
    case .derivation(let path, let entity, let attribute, let reason):
      self.init(
        .conflict, code: "derivation", "the derived attribute \(entity).\(attribute) can't be computed: \(reason)",
        path: path)
    case .unknownFormat(let path, let found, let known):
      self.init(
        .unknownFormat, code: "unknownFormat",
        "\(path) has the format \(found), and this tool knows formats up to \(known)",
        hint: "use the newer version of the tool that belongs to the program that made it", path: path)
    case .readOnly(let path): self.init(.refused, code: "readOnly", "\(path) was opened to be read only", path: path)
    case .historyPurged: self.init(.notFound, code: "historyPurged", "the history was purged")
    case .diskFull(let path):
      self.init(
        .storage, code: "diskFull", "\(path): the disk is full", hint: "free space on the disk that holds it",
        path: path)
    case .denied(let path, let reason): self.init(.storage, code: "storage", "\(path): \(reason)", path: path)
    case .damaged(let path, let reason):
      self.init(
        .storage, code: "storage", "\(path): \(reason)",
        hint: "\"store check\" lists all damage of a store, \"store repair\" makes the rest usable", path: path)
    case .storage(let path, let reason, let isTransient):
      self.init(isTransient ? .tryLater : .storage, code: "storage", "\(path): \(reason)", path: path)
    }
  }
}
