#!/bin/sh
# state.sh KIND FOLDER: makes a user's state in the new folder, with the programs of the PATH: those of this build, or of
# an earlier one. Each kind has a cloud, and
#
#   records   an accepted share, encrypted values, an asset, an index, a subscription with its pushes; token: a change
#             token of the zone Notes, older than its last changes; link: the share's URL
#   posts     stores: alice's Core Data stores. They have a post that iCloud lacks, and lack another one
#   shares    stores: the Core Data stores of alice and of bob, whom she shares a post with. Hers lack his last change
#   lists     lists: the files of two devices with the saved states of their sync engines. Alice's has an unsent item
#
# The tests in this folder say what a later build has to read. Steps that an earlier build does not know are left out.
set -eu
kind=$1 state=$2
mkdir "$state"
cd "$state"
for variable in $(env | sed -n 's/^\(LOCALCLOUD_[A-Z_]*\)=.*/\1/p'); do unset "$variable"; done
export LOCALCLOUD_CONTAINER=iCloud.test LOCALCLOUD_ROOT="$state/cloud"
localcloud init --quiet "$LOCALCLOUD_ROOT" >&2
for name in alice bob; do
  localcloud account add "$name" --email "$name@example.com" --given-name "$name" --quiet >&2
done
# as NAME COMMAND…: a person's command, on the device NAME-device.
as() {
  person=$1
  shift
  LOCALCLOUD_ACCOUNT=$person LOCALCLOUD_DEVICE=$person-device "$@"
}
tool() {
  person=$1
  shift
  as "$person" localcloud --quiet "$@"
}

records() {
  cat >schema <<'END'
DEFINE SCHEMA
    RECORD TYPE Note (
        "___recordID" REFERENCE QUERYABLE,
        "number" INT64 QUERYABLE SORTABLE,
        "text" STRING QUERYABLE SEARCHABLE SORTABLE,
        "code" ENCRYPTED STRING,
        "picture" ASSET,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
END
  tool alice schema import schema
  tool alice zone save Notes
  tool alice subscription create zone notes --zone Notes
  printf 'a picture' >picture
  note() { tool alice record save Note --zone Notes --name "$@"; }
  note ada text=Ada number:int64=1 code:encrypted=1234 picture:asset=picture
  note child text=child number:int64=2 --parent ada
  note alone text=alone number:int64=3
  note former text=former number:int64=4
  rm schema picture
  tool alice changes --zone Notes --json | sed -n 's/^  "token": "\(.*\)".*/\1/p' >token
  tool alice record update alone --zone Notes text="alone again"
  tool alice record delete former --zone Notes
  tool alice share create ada --zone Notes --title Ada --person bob@example.com --permission readWrite >link
  tool bob share accept "$(cat link)"
  tool bob record update child --database shared --zone Notes --owner alice text="child of bob"
}

post() {
  person=$1
  shift
  as "$person" Posts "$@" --stores "$state/stores/$person"
}

posts() {
  mkdir stores
  printf 'sunset' >beach.jpg
  post alice add Beach "Come to the beach" --tag sea --at 37.33,-122.01 --image beach.jpg
  rm beach.jpg
  localcloud device network offline --device alice-device --quiet
  if post alice add Offline "not sent yet"; then exit 1; fi
  localcloud device network online --device alice-device --quiet
  LOCALCLOUD_ACCOUNT=alice LOCALCLOUD_DEVICE=tablet Posts add Tablet "of the tablet" --stores "$state/tablet"
  rm -r tablet
}

shares() {
  mkdir stores
  post alice add Beach "Come to the beach"
  post bob accept "$(post alice share Beach)"
  post bob edit Beach --content "Bring towels"
}

lists() {
  mkdir lists
  list() {
    person=$1
    shift
    as "$person" Shopping --file "$state/lists/$person.json" "$@"
  }
  list alice add milk 2
  list bob accept "$(list alice share Groceries bob@example.com)"
  list alice add bread
  list alice sync
  list alice add tea
}

"$kind" >&2
if localcloud help clock >/dev/null 2>&1; then
  localcloud clock offset 1h --quiet
  localcloud fault add --operation webAuthToken --error serviceUnavailable --quiet
fi >&2
localcloud check >&2
