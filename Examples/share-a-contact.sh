#!/bin/sh
# Two people, one shared contact: Alice shares, Bob joins, changes and leaves; all in a folder that ls and jq can read.
#
#   Examples/share-a-contact.sh            a new cloud in a temporary folder, removed at the end
#   Examples/share-a-contact.sh -k         the cloud is kept, and its path printed
#
# Needs a Swift 6 toolchain and nothing else; jq, if it is there, shows the files more prettily.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
keep=no
[ "${1:-}" = "-k" ] && keep=yes

configuration=${CONFIGURATION:-debug}
printf 'Building the tool and the Contacts program (the first time takes a few minutes)…\n' >&2
if [ -n "${LOCALCLOUD_TOOL:-}" ]; then
  localcloud=$LOCALCLOUD_TOOL
else
  swift build --package-path "$here/.." -c "$configuration" --product localcloud >&2
  localcloud=$(swift build --package-path "$here/.." -c "$configuration" --show-bin-path)/localcloud
fi
swift build --package-path "$here/Contacts" -c "$configuration" >&2
contacts=$(swift build --package-path "$here/Contacts" -c "$configuration" --show-bin-path)/Contacts

folder=$(mktemp -d "${TMPDIR:-/tmp}/share-a-contact.XXXXXX")
finish() {
  if [ "$keep" = yes ]; then printf '\nThe cloud is in %s\n' "$LOCALCLOUD_ROOT"; else rm -rf "$folder"; fi
}
trap finish EXIT

export LOCALCLOUD_ROOT="$folder/cloud"
export LOCALCLOUD_CONTAINER=iCloud.com.example.Contacts

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
[ -t 1 ] || say() { printf '\n%s\n' "$1"; }
# as NAME COMMAND…: what that person types in their own terminal.
as() {
  person=$1
  shift
  shown=$1
  case $shown in "$localcloud") shown=localcloud ;; "$contacts") shown=contacts ;; esac
  first=$1
  shift
  printf '%s$ %s' "$person" "$shown" >&2
  for word in "$@"; do case $word in *' '* | *'#'*) printf " '%s'" "$word" >&2 ;; *) printf ' %s' "$word" >&2 ;; esac; done
  printf '\n' >&2
  LOCALCLOUD_ACCOUNT=$person "$first" "$@"
}

say "A cloud with two accounts"
"$localcloud" init --quiet
"$localcloud" account add alice --email alice@example.com --given-name Alice --quiet
"$localcloud" account add bob --email bob@example.com --given-name Bob --quiet
"$localcloud" account list

say "Alice writes down two contacts"
as alice "$contacts" add "Dave Knox" 417-555-9311
as alice "$contacts" add "Ada Lovelace" 555-0100

say "She shares one of them with Bob"
url=$(as alice "$contacts" share "Dave Knox" bob@example.com)
printf '%s\n' "$url"
as alice "$contacts" people "Dave Knox"

say "Bob opens the link, and sees this contact and no other"
as bob "$contacts" accept "$url"
as bob "$contacts" list

say "Bob changes the number; Alice has it"
as bob "$contacts" set "Dave Knox" 417-555-0000
as alice "$contacts" list

say "Bob may not delete what is Alice's; deleting the root means leaving"
as bob "$contacts" leave "Dave Knox"
as bob "$contacts" list
as alice "$contacts" people "Dave Knox"

say "He comes back by the same link, until Alice stops sharing"
as bob "$contacts" accept "$url"
as alice "$contacts" stop "Dave Knox"
as bob "$contacts" list
if as bob "$contacts" accept "$url"; then
  echo "the link of a share that is over still works" >&2
  exit 1
fi

say "The cloud, as files"
(cd "$LOCALCLOUD_ROOT" && find . -type f | grep -v '/\.' | LC_ALL=C sort)
record=$(grep -l 417-555-0000 "$LOCALCLOUD_ROOT"/containers/*/development/private/alice/zones/Contacts/records/*.json)
say "Dave's record"
if command -v jq >/dev/null; then
  jq '{recordName, recordType, recordChangeTag, fields}' "$record"
else
  cat "$record"
fi

say "Everything is in order"
"$localcloud" check
