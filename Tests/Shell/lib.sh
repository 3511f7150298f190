# Helpers for the shell suites; source it first: . "$LIB"
# A script starts in an empty folder. It ends at the first check that fails.
set -u

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

# block SCRIPT LANGUAGE NUMBER: the lines of that block of the language in README.md, behind the mark of the script.
block() {
  sed -n "/$1/,\$p" "$(dirname "$LIB")/../../README.md" |
    awk -v language="\`\`\`$2" -v wanted="$3" \
      '$0 == language { n++; inside = 1; next } /^```$/ { inside = 0 } inside && n == wanted'
}

check_cloud() { expect 0 localcloud check; }
