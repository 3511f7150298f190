import LocalCloudPlatform

/// A shell with a script that completes command lines of this tool.
///
/// The scripts are static: they call `localcloud completion words`. Each of its lines is a candidate, a tab and a note.
/// A line of a tab and `file` or `folder` means that the shell completes a path.
enum CompletionShell: String, CaseIterable {
  case bash, zsh, fish

  /// Each has ``GeneratedFile/mark`` in one of its first two lines; zsh requires its own first line.
  var script: String {
    switch self {
    case .bash:
      #"""
      # Completion of localcloud in bash. Written by "localcloud completion".
      _localcloud() {
        local line
        COMPREPLY=()
        while IFS= read -r line; do
          case $line in
            $'\tfile') compopt -o default ;;
            $'\tfolder') compopt -o dirnames ;;
            *) COMPREPLY+=("${line%%$'\t'*}") ;;
          esac
        done < <(command localcloud completion words --bash-word="$2" -- "${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
      }
      complete -F _localcloud localcloud

      """#
    case .zsh:
      #"""
      #compdef localcloud
      # Completion of localcloud in zsh. Written by "localcloud completion".
      _localcloud() {
        local line
        local -a values texts
        for line in "${(@f)$(command localcloud completion words -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}"; do
          case $line in
            $'\tfile' | $'\tfolder')
              [[ $PREFIX == --*=* ]] && compset -P '*='
              if [[ $line == $'\tfile' ]]; then _files; else _files -/; fi
              return
              ;;
            ?*)
              values+=("${line%%$'\t'*}")
              texts+=("${line/$'\t'/  -- }")
              ;;
          esac
        done
        compadd -l -d texts -a values
      }
      if [[ $funcstack[1] == _localcloud ]]; then _localcloud "$@"; else compdef _localcloud localcloud; fi

      """#
    case .fish:
      #"""
      # Completion of localcloud in fish. Written by "localcloud completion".
      function __localcloud_complete
          set -l words (commandline -opc)
          set -e words[1]
          set -l raw (commandline -ct)
          set -l word (string unescape -- $raw; or string unescape -- "$raw'"; or string unescape -- "$raw\"")
          for line in (command localcloud completion words -- $words "$word" 2>/dev/null)
              switch $line
                  case \tfile \tfolder
                      set -l option (string match -r -- '^--[^=]*=' "$word")
                      set -l paths (string replace -- "$option" '' "$word")
                      test $line = \tfile && set paths (__fish_complete_path $paths) || set paths (__fish_complete_directories $paths)
                      string replace -r -- '^' "$option" $paths
                  case '*'
                      echo -- $line
              end
          end
      end
      complete -c localcloud -f -a '(__localcloud_complete)'

      """#
    }
  }
}

/// A file that `completion install` writes.
struct GeneratedFile {
  /// A text in the first two lines of each file: by it a later installation recognizes its own files.
  static let mark = "Written by \"localcloud completion\"."

  var path: String
  var text: String

  /// Throws if the path has a file of somebody else's.
  func requireOwn() throws {
    guard UserFile.exists(path) else { return }
    let bytes = try? UserFile.read(path, limit: .marker)
    let start = bytes.map { String(decoding: $0.prefix(400), as: UTF8.self) } ?? ""
    guard start.split(separator: "\n").prefix(2).contains(where: { $0.contains(Self.mark) }) else {
      throw CommandFailure(
        .failure, code: "foreignFile", "\(path) was not written by this command", hint: "--force replaces it",
        path: path)
    }
  }

  func write() throws {
    let file = try WrittenFile(path: path, isPrivate: false)
    try file.write(Array(text.utf8))
    try file.finish()
  }
}
