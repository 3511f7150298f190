import Foundation
import ItemLists

do {
  let list = try await ItemList.own()
  try await list.add("Buy milk")
  let texts = try await list.texts()
  guard texts == ["Buy milk"] else {
    FileHandle.standardError.write(Data("the list has \(texts)\n".utf8))
    exit(1)
  }
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
