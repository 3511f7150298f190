# Commands of the guides that take too long for a test, such as builds and test runs: each is run with stand-ins of the
# programs that it calls. These check that the targets, products, tests, scripts and files that it names exist.
. "$LIB"

mkdir -p bin clone/Tests/Shell
for entry in Package.swift Sources Examples .ci; do ln -s "$root/$entry" clone/; done
for entry in "$root"/Tests/*; do [ "$entry" = "$root/Tests/Shell" ] || ln -s "$entry" clone/Tests/; done

# All tests as a filter sees them: target.suite/function.
for target in "$root"/Tests/*Tests*; do
  find "$target" -name '*.swift' -exec awk -v target="$(basename "$target")" '
    match($0, /(struct|class|enum|extension|actor) [A-Z][A-Za-z0-9]*/) {
      split(substr($0, RSTART, RLENGTH), words, " ")
      # A function after a nested type is listed with that type, so the suites are listed alone, too.
      if ($0 !~ /^ *\/\//) print target "." (suite = words[2])
    }
    match($0, /func [A-Za-z0-9_`]+/) { print target "." suite "/" substr($0, RSTART + 5, RLENGTH - 5) "()" }' {} +
done >tests.txt
[ "$(wc -l <tests.txt)" -gt 1000 ] || fail "the list of tests is too short"
export TESTS="$PWD/tests.txt"

cat >bin/swift <<'END'
#!/bin/sh
# Stands in for swift: checks its arguments.
wrong() { echo "swift: $*" >&2; exit 1; }
named() { grep -qE "name: \"?$1\"?[,)]" Package.swift || wrong "Package.swift has no $1"; }
command=$1
shift
case $command in
build | test)
  while [ $# -gt 0 ]; do
    case $1 in
    --filter | --skip) grep -qE "$2" "$TESTS" || wrong "no test matches $2" && shift ;;
    --product) named "$2" && shift ;;
    -c) shift ;;
    --build-tests | --skip-build | --no-parallel | --static-swift-stdlib) ;;
    *) wrong "$command has $1" ;;
    esac
    shift
  done
  ;;
run)
  while [ "${1#-}" != "$1" ]; do case $1 in -c) shift 2 ;; *) wrong "run has $1" ;; esac; done
  [ -d "Tests/$1" ] || wrong "there is no program $1"
  program=$1
  shift
  # Words of the program: subcommands and options stand in its sources.
  for word in "$@"; do
    case $word in
    *[!0-9]*) grep -rqF "\"$word\"" "Tests/$program" || wrong "$program has no $word" ;;
    esac
  done
  ;;
format)
  for word in "$@"; do
    case $word in lint | -* | *\**) ;; *) [ -e "$word" ] || wrong "there is no $word" ;; esac
  done
  ;;
*) wrong "there is no command $command" ;;
esac
END
cat >clone/Tests/Shell/run <<END
#!/bin/sh
# Stands in for the runner of shell suites.
while [ "\${1#-}" != "\$1" ]; do case \$1 in -k | -r) shift ;; -b) shift 2 ;; *) exit 64 ;; esac; done
for word in "\$@"; do
  ls "$root/Tests/Shell" | grep -q "\$word.*\\.sh\$" || { echo "run: no script matches \$word" >&2; exit 1; }
done
END
cat >clone/Tests/Shell/repeat <<'END'
#!/bin/sh
# Stands in for the program that repeats a script.
while [ "${1#-}" != "$1" ]; do case $1 in -b | -n | -p) shift 2 ;; *) exit 64 ;; esac; done
[ $# -eq 1 ] && [ -x "$1" ] || { echo "repeat: no script $*" >&2; exit 1; }
END
chmod +x bin/swift clone/Tests/Shell/run clone/Tests/Shell/repeat

# commands PAGE: runs the page's blocks for a shell that name this script, line by line.
commands() {
  number=0
  while block "$1" sh $((number + 1)) | grep '' >lines.txt; do
    number=$((number + 1))
    while IFS= read -r line; do
      (cd clone && PATH=$PWD/../bin:$PATH && eval "$line") >out.txt 2>&1 </dev/null || fail "$1: \"$line\": $(cat out.txt)"
    done <lines.txt
  done
  [ $number -gt 0 ] || fail "$1 has no commands"
}

commands README.md
commands CommandLine.md
commands Performance.md
commands Contributing.md

# The stand-ins refuse what does not exist.
for line in 'swift test --filter NoSuchTests' 'swift build --product no-such-product' 'swift run -c release Nothing' \
  'swift run -c release Stress no-such-run' 'Tests/Shell/run 999' \
  'Tests/Shell/repeat Examples/none.sh' 'swift format lint Nothing'; do
  if (cd clone && PATH=$PWD/../bin:$PATH && eval "$line") >out.txt 2>&1; then fail "\"$line\" is not refused"; fi
done
# What CI runs is what README says.
contains "$(cat "$root/.ci/run")" Examples/share-a-contact.sh
