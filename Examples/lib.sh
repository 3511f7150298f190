# What the example scripts share: building, a cloud in a temporary folder, and people who type commands in it.
# Source it with $here set to this folder, and $example to the program's if it is not Contacts.

keep=no
[ "${1:-}" = "-k" ] && keep=yes

configuration=${CONFIGURATION:-debug}
example=${example:-Contacts}
# The programs of the examples are targets of the library's package, too: so the library is built once. The program of a
# given tool may be beside it.
build() { swift build --package-path "$here/.." -c "$configuration" "$@"; }
program=${LOCALCLOUD_TOOL:+$(dirname "$LOCALCLOUD_TOOL")/$example}
if [ ! -x "$program" ]; then
  printf 'Building the %s program (the first time takes a few minutes)…\n' "$example" >&2
  [ -n "${LOCALCLOUD_TOOL:-}" ] || build --product localcloud >&2
  build --product "$example" >&2
  program=$(build --show-bin-path)/$example
fi
localcloud=${LOCALCLOUD_TOOL:-$(dirname "$program")/localcloud}
contacts=$program

folder=$(mktemp -d "${TMPDIR:-/tmp}/localcloud-example.XXXXXX")
finish() {
  # What a step that went wrong left running.
  jobs -p >"$folder/running"
  while read -r process; do kill "$process" 2>/dev/null || true; done <"$folder/running"
  rm "$folder/running"
  if [ "$keep" = yes ]; then printf '\nThe cloud is in %s\n' "$LOCALCLOUD_ROOT"; else rm -rf "$folder"; fi
}
trap finish EXIT

export LOCALCLOUD_ROOT="$folder/cloud"
export LOCALCLOUD_CONTAINER=iCloud.com.example.$example

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
[ -t 1 ] || say() { printf '\n%s\n' "$1"; }

# as NAME COMMAND…: what that person types in their own terminal.
as() {
  person=$1
  shift
  shown=$1
  case $shown in "$localcloud") shown=localcloud ;; "$program") shown=$(echo "$example" | tr A-Z a-z) ;; esac
  first=$1
  shift
  printf '%s$ %s' "$person" "$shown" >&2
  for word in "$@"; do case $word in *' '* | *'#'*) printf " '%s'" "$word" >&2 ;; *) printf ' %s' "$word" >&2 ;; esac; done
  printf '\n' >&2
  LOCALCLOUD_ACCOUNT=$person "$first" "$@"
}

# wrong TEXT: the step before did not do what it should.
wrong() {
  echo "WRONG: $*" >&2
  exit 1
}

# expect TEXT COMMAND…: its output is shown and has to hold the text.
expect() {
  wanted=$1
  shift
  output=$("$@") || wrong "it failed: $*"
  printf '%s\n' "$output"
  case $output in *"$wanted"*) ;; *) wrong "no \"$wanted\" in the output of: $*" ;; esac
}

# shows TEXT FILE: waits until a program that runs has written the text into the file, a minute at most.
shows() {
  count=0
  until grep -qF "$1" "$2" 2>/dev/null; do
    count=$((count + 1))
    [ "$count" -lt 1200 ] || wrong "no \"$1\" in: $(cat "$2")"
    sleep 0.05
  done
}

# refused TEXT COMMAND…: it has to fail, and to say this.
refused() {
  wanted=$1
  shift
  if output=$("$@" 2>&1); then wrong "it should have failed: $*"; fi
  printf '%s\n' "$output"
  case $output in *"$wanted"*) ;; *) wrong "no \"$wanted\" in the error of: $*" ;; esac
}
