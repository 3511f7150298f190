# Helpers for the shell suites; source it first: . "$LIB"
# A script starts in an empty folder. It ends at the first check that fails.
set -u
root=$(cd "$(dirname "$LIB")/../.." && pwd)

export LOCALCLOUD_CONTAINER=iCloud.example.Shell

fail() {
  echo "FAILED: $*" >&2
  exit 1
}

skip() {
  echo "$*"
  exit 77
}

# Something that was left out; the runner shows it.
note() { echo "note: $*"; }

needs() {
  for tool in "$@"; do
    command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed"
  done
}

# Makes a cloud with these accounts; each has NAME@example.com.
new_cloud() {
  LOCALCLOUD_ROOT=$(localcloud init --quiet ./cloud) || fail "init"
  export LOCALCLOUD_ROOT
  for name in "$@"; do
    localcloud account add "$name" --email "$name@example.com" --quiet || fail "account add $name"
  done
}

# as NAME command…: localcloud, acting as somebody.
as() {
  acting=$1
  shift
  LOCALCLOUD_ACCOUNT=$acting localcloud "$@"
}

# expect STATUS command…: runs it; leaves its output in $out and $err.
expect() {
  wanted=$1
  shift
  "$@" >.out 2>.err
  status=$?
  out=$(cat .out)
  err=$(cat .err)
  rm -f .out .err
  [ "$status" -eq "$wanted" ] || fail "\"$*\" ended with $status, not $wanted
$out
$err"
}

# begin WORD OUTPUT COMMAND…: starts a command in the background, with its standard output in a file, and returns once a
# line of its standard error begins with the word. $begun is the process, and descriptor 9 has the rest of its messages.
begin() {
  word=$1 output=$2
  shift 2
  rm -f .messages
  mkfifo .messages || fail "mkfifo"
  "$@" >"$output" 2>.messages &
  begun=$!
  exec 9<.messages
  said=
  while IFS= read -r line <&9; do
    case $line in "$word"*) return ;; esac
    said="$said$line
"
  done
  fail "\"$*\" ended without the line \"$word\"
$said"
}

# equals ACTUAL EXPECTED [WHAT]
equals() { [ "$1" = "$2" ] || fail "${3:-values differ}: got \"$1\", expected \"$2\""; }

# contains TEXT PART
contains() {
  case $1 in
  *"$2"*) ;;
  *) fail "\"$2\" is not in \"$1\"" ;;
  esac
}

# lacks TEXT PART
lacks() {
  case $1 in
  *"$2"*) fail "\"$2\" is in \"$1\"" ;;
  esac
}

# The folder of an account's zone; for names that need no escaping.
zone_folder() { echo "$LOCALCLOUD_ROOT/containers/$LOCALCLOUD_CONTAINER/development/private/$1/zones/$2"; }

# page NAME: the path of a page whose blocks are run: README.md, a guide of the catalogue LocalCloud.docc, or a page of
# another catalogue, such as CloudStore.docc/Files.md.
page() {
  case $1 in
  README.md) echo "$root/README.md" ;;
  *.docc/*) echo "$root/Sources/${1%%.docc/*}/$1" ;;
  *) echo "$root/Sources/LocalCloud/LocalCloud.docc/$1" ;;
  esac
}

# block PAGE LANGUAGE NUMBER: the lines of one of the page's blocks of that language, counting those that name this script
# in the comment above them.
block() {
  awk -v comment="<!-- Run by Tests/Shell/$(basename "$0"). -->" -v fence="\`\`\`$2" -v wanted="$3" '
    inside && $0 == "```" { exit }
    inside { print }
    $0 == fence && previous == comment && ++n == wanted { inside = 1 }
    { previous = $0 }' "$(page "$1")"
}

# session PAGE: runs the page's console blocks that name this script as one session, in a folder of its own. Each command
# must print the lines that the page shows. A prompt with a name, such as "alice$ ", names the account that acts.
session() {
  (
    printed=$PWD/session-$1.txt shown=$PWD/page-$1.txt output=$PWD/output.txt number=1
    : >"$shown"
    : >"$printed"
    while block "$1" console $number | grep '' >"$output"; do
      cat "$output" >>"$shown"
      number=$((number + 1))
    done
    [ -s "$shown" ] || fail "$1 has no session"
    mkdir "session-$1" && cd "session-$1" || fail "no folder for $1"
    session_folder=$PWD
    while IFS= read -r line; do
      person=${line%%'$ '*} command=${line#*'$ '}
      case $line in *'$ '*) ;; *) continue ;; esac
      case $person in *[!a-z]*) continue ;; esac
      printf '%s\n' "$line" >>"$printed"
      [ -z "$person" ] || export LOCALCLOUD_ACCOUNT="$person"
      eval "$command" </dev/null >"$output" 2>&1 || true
      [ -z "$person" ] || unset LOCALCLOUD_ACCOUNT
      sed "s|$session_folder|/home/you|g" "$output" >>"$printed"
    done <"$shown"
    [ "$RECORD_SESSIONS" = no ] || record "$1" "$printed" || fail "$1 can't be written"
    [ "$RECORD_SESSIONS" = yes ] || diff -u "$shown" "$printed" ||
      fail "$1 shows something else; \"Tests/Shell/run -r $(basename "$0" .sh)\" writes it anew"
  ) || exit 1
}

# record PAGE FILE: writes the output in the file, of all commands of the page's session, into the page. A link that
# changes has to be put into the commands that use it by hand.
record() {
  awk -v comment="<!-- Run by Tests/Shell/$(basename "$0"). -->" '
    NR == FNR { if ($0 ~ /^[a-z]*[$] /) n++; printed[n] = printed[n] $0 "\n"; next }
    inside && $0 == "```" { inside = 0 }
    inside && $0 ~ /^[a-z]*[$] / { printf "%s", printed[++used] }
    !inside { print }
    $0 == "```console" && previous == comment { inside = 1 }
    { previous = $0 }' "$2" "$(page "$1")" >"$2.new" && cat "$2.new" >"$(page "$1")"
}

# build_package FOLDER [OPTION…]: builds the package without warnings, in the scratch folder of Tests/Clients, so that all
# packages build the library once. The folder of its programs is in $programs.
build_package() {
  package=$1
  shift
  unset LOCALCLOUD_OPTIMIZED
  built=$root/Tests/Clients/.build
  swift build --package-path "$package" --scratch-path "$built" "$@" >build.txt 2>&1 ||
    fail "$package does not build: $(tail -n 40 build.txt)"
  case $(cat build.txt) in *warning:*) fail "$package builds with warnings: $(cat build.txt)" ;; esac
  programs=$(swift build --package-path "$package" --scratch-path "$built" --show-bin-path)
}

check_cloud() { expect 0 localcloud check; }

# A command of alice on her phone.
phone() { env LOCALCLOUD_ACCOUNT=alice LOCALCLOUD_DEVICE=phone localcloud "$@"; }

# A cloud for alice and bob. Alice has a phone beside her first device; changes of her zone Notes are pushed to both.
new_cloud_with_phone() {
  new_cloud alice bob
  as alice zone save Notes --quiet
  as alice subscription create zone notes --zone Notes --quiet
  expect 0 phone status
}
