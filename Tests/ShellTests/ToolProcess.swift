import LocalCloudStorage
import LocalCloudStore
import TestSupport

/// A finished process of the tool with `--json`.
struct ToolProcess {
  let status: Int
  /// The value on standard output; nil if there is none.
  let result: JSONValue?
  /// The error on standard error; nil if there is none.
  let error: JSONValue?
  let text: String

  /// - Parameter account: the signed-in account; nil for none.
  init(_ words: [String], as account: String?, root: String) throws {
    let child = try ChildProcess(
      BuiltTool.path, words + ["--json"],
      environment: [
        "LOCALCLOUD_ROOT": root, "LOCALCLOUD_ACCOUNT": account ?? "",
        "LOCALCLOUD_CONTAINER": TemporaryCloud.container,
      ])
    status = Int(child.wait())
    text = child.output + child.errors
    result = child.output.isEmpty ? nil : try JSONValue(parsing: child.output)
    error = child.errors.isEmpty ? nil : try JSONValue(parsing: child.errors)["error"]
  }
}
