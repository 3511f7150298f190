import LocalCloudPlatform

/// The options that every command with fields has in addition to its ``argument``.
package struct FieldOptions: OptionGroup {
  let json = Option<String>(
    "fields-json", "JSON", excludes: ["fields-file", "fields-stdin"], help: "fields as a JSON object")
  let file = Option<String>(
    "fields-file", "FILE", excludes: ["fields-stdin"], completes: .file,
    help: "fields from a file that holds a JSON object; - is standard input")
  let stdin = Flag("fields-stdin", help: "the same as --fields-file -")
  let assetFiles = OptionList<String>(
    "asset-files", "KEY=PATH", takesSeveral: true,
    help: "files that fields of the type assetType name by their keys")

  package init() {}

  package static let argument = ArgumentList<String>(
    "field", optional: true, help: "name=value or name:type=value; see localcloud help fields")

  package var options: [any OptionDeclaration] { sources + [assetFiles] }

  /// The options that give all fields at once.
  var sources: [any OptionDeclaration] { [json, file, stdin] }

  /// All fields of the command line.
  /// - Parameter words: the values of ``argument``.
  package func fields(_ words: [String], _ context: CommandContext) throws -> FieldArguments {
    var result = FieldArguments()
    if let text = context[json] {
      result = try FieldArguments(json: Array(text.utf8), source: "--fields-json")
    } else if let path = context[stdin] ? "-" : context[file] {
      let source = path == "-" ? "standard input" : path
      result = try FieldArguments(json: context.contents(ofFile: path, limit: .text), source: source)
    }
    result.merge(try FieldArguments(words: words))
    return result
  }
}

extension FieldArguments {
  /// The text of `localcloud help fields`.
  package static let help = """
    A field is written name=value and is a string. Nothing is guessed: "age=36" is the string "36". Another type \
    stands behind the name:

     name=Ada                                   STRING
     age:int64=36                               INT64; booleans are 0 and 1
     ratio:double=1.5                           DOUBLE
     when:timestamp=2026-01-31T12:00:00Z        TIMESTAMP; also milliseconds since 1970,
                                                both with as many digits as it takes
     data:bytes=aGVsbG8=                        BYTES, in base64
     friend:reference=record-name               REFERENCE to a record of the same zone, there or not
     owner:deleteSelf=record-name               REFERENCE; deleting that record deletes this one
     owner:validate=record-name                 REFERENCE; that record must exist, and cannot be
                                                deleted before this one; apps see action "none"
     where:location=48.2,16.37                  LOCATION: latitude,longitude
     photo:asset=photo.jpg                      ASSETID: the contents of a file
     tags:json=["a","b"]                        whatever the JSON is; here a STRING_LIST
     dates:timestamp-list=["2026-01-31T12:00:00Z"]  a list of any type above
     note:encrypted=secret                      an encrypted STRING
     age:encrypted-int64=36                     an encrypted value of another type
     name=                                      the empty string
     name:null=                                 removes the field

    --fields-json and --fields-file take an object with a member for each field: a plain value such as "Ada", 36 or \
    ["a","b"]; a dictionary as Web Services writes it, such as {"type": "TIMESTAMP", "value": 1769860800000}; or one \
    as cktool writes it, such as {"type": "timestampType", "value": "2026-01-31"}; the value of an assetType is a key of \
    --asset-files. Fields given as words win over \
    those of the same name.
    """
}
