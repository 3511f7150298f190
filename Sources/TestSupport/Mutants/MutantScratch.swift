import Foundation
import LocalCloudPlatform

/// A copy of the package, in which faults are planted and built.
package struct MutantScratch {
  package let package: URL
  package let copy: URL

  /// `copy` is the folder of the copy. If it contains the copy of an earlier run, only differences are built again.
  package init(package: String, copy: String) {
    self.package = URL(fileURLWithPath: package)
    self.copy = URL(fileURLWithPath: copy)
  }

  /// The faults that can be planted below `Sources/<target>`, in the order of file names.
  package func candidates(in target: String) throws -> [Mutant] {
    let folder = package.appendingPathComponent("Sources/" + target)
    guard FileManager.default.fileExists(atPath: folder.path) else {
      throw MutantProblem("there is no Sources/\(target)")
    }
    return try Self.files(below: folder).filter { $0.hasSuffix(".swift") }.flatMap { name in
      let file = "Sources/\(target)/\(name)"
      return MutantFinder.mutants(in: [UInt8](try Data(contentsOf: package.appendingPathComponent(file))), file: file)
    }
  }

  // MARK: Planting

  /// Makes the copy equal to the package, with the faults planted. The keys are the faults' numbers.
  package func plant(_ mutants: [Int: Mutant]) throws {
    var contents: [String: Data] = [:]
    for part in try Self.parts(of: package) {
      contents[part] = try Data(contentsOf: package.appendingPathComponent(part))
    }
    for (file, planted) in Dictionary(grouping: mutants, by: \.value.file) {
      guard var bytes = contents[file].map({ [UInt8]($0) }) else { throw MutantProblem("\(file) is gone") }
      for (number, mutant) in planted.sorted(by: { $0.value.range.lowerBound > $1.value.range.lowerBound }) {
        bytes.replaceSubrange(mutant.range, with: Mutant.filled(mutant.replacement, number: number).utf8)
      }
      contents[file] = Data(bytes)
    }
    for (target, planted) in Dictionary(grouping: mutants, by: \.value.target) {
      let declarations = planted.sorted { $0.key < $1.key }.compactMap { number, mutant in
        mutant.declaration.map { Mutant.filled($0, number: number) }
      }
      contents["Sources/\(target)/\(MutantSwitch.fileName)"] = Data(MutantSwitch.source(declarations).utf8)
    }
    try write(contents)
  }

  private func write(_ contents: [String: Data]) throws {
    let files = FileManager.default
    try files.createDirectory(at: copy, withIntermediateDirectories: true)
    for part in try Self.parts(of: copy) where contents[part] == nil {
      try files.removeItem(at: copy.appendingPathComponent(part))
    }
    for (part, data) in contents {
      let place = copy.appendingPathComponent(part)
      // An unchanged file keeps its date, so that it is not built again.
      if let there = try? Data(contentsOf: place), there == data { continue }
      try files.createDirectory(at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
      try data.write(to: place)
      if files.isExecutableFile(atPath: package.appendingPathComponent(part).path) {
        try files.setAttributes([.posixPermissions: 0o755], ofItemAtPath: place.path)
      }
    }
  }

  private static func parts(of folder: URL) throws -> [String] {
    try ["Sources", "Tests", "Examples"].flatMap { part in
      try files(below: folder.appendingPathComponent(part)).map { part + "/" + $0 }
    }
      + ["Package.swift", "README.md"].filter {
        FileManager.default.fileExists(atPath: folder.appendingPathComponent($0).path)
      }
  }

  /// The relative paths of all files, sorted. Hidden files and folders, such as the builds of examples, are left out.
  private static func files(below folder: URL) throws -> [String] {
    guard let names = FileManager.default.enumerator(atPath: folder.path) else { return [] }
    return names.compactMap { $0 as? String }.filter { name in
      var isFolder: ObjCBool = false
      return !name.split(separator: "/").contains { $0.hasPrefix(".") }
        && FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path, isDirectory: &isFolder)
        && !isFolder.boolValue
    }.sorted()
  }

  // MARK: Building

  /// Plants and builds the faults. Returns the numbers of those that can't be compiled; nil if the build succeeds.
  package func build(_ mutants: [Int: Mutant]) throws -> Set<Int>? {
    try plant(mutants)
    let child = try ChildProcess(
      "/usr/bin/env", ["swift", "build", "--build-tests", "--package-path", copy.path],
      environment: ["LOCALCLOUD_OPTIMIZED": "1"])
    guard child.wait(seconds: 3600) != 0 else { return nil }
    let output = child.output + child.errors
    let failed = Self.failures(in: output, mutants, below: copy.path)
    guard !failed.isEmpty else { throw MutantProblem("the copy can't be built:\n\(output.suffix(4000))") }
    return failed
  }

  /// Finds the faults that the compiler's errors refer to: by line; if no fault is in that line, all faults of the
  /// file; if none is in the file, all faults with declarations in its target.
  static func failures(in output: String, _ mutants: [Int: Mutant], below folder: String) -> Set<Int> {
    var result: Set<Int> = []
    for line in output.split(separator: "\n") where line.contains(": error:") {
      let parts = line.split(separator: ":")
      guard parts.count > 2, let number = Int(parts[1]), let start = parts[0].range(of: "/Sources/") else { continue }
      let file = "Sources/" + parts[0][start.upperBound...]
      let suspects = [
        mutants.filter { $0.value.file == file && $0.value.line == number },
        mutants.filter { $0.value.file == file },
        mutants.filter { file.hasPrefix("Sources/\($0.value.target)/") && $0.value.declaration != nil },
      ]
      result.formUnion((suspects.first { !$0.isEmpty } ?? [:]).keys)
    }
    return result
  }
}

package struct MutantProblem: Error, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}
