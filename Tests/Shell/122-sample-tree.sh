# The sample tree of the format's specification: its commands make the files that it shows.
. "$LIB"
unset LOCALCLOUD_CONTAINER
block CloudStore.docc/SampleTree.md sh 1 >commands.sh
[ -s commands.sh ] || fail "the page has no commands"
sh -e commands.sh >out.txt 2>&1 || fail "$(cat out.txt)"

# same FILE: standard input, a block of the page, is the file.
same() { diff -u - "$1" || fail "the page shows another $1"; }
environment=cloud/containers/iCloud.com.example.Contacts/development
zone=$environment/private/alice/zones/Contacts
block CloudStore.docc/SampleTree.md json 1 | same $zone/records/dave.json || exit 1
sed -n '1,2p;$p' $zone/changes.jsonl >changes.jsonl
block CloudStore.docc/SampleTree.md json 2 | same changes.jsonl || exit 1
block CloudStore.docc/SampleTree.md json 3 | same $zone/shares/Share-*.jsonl || exit 1
block CloudStore.docc/SampleTree.md json 4 | same $environment/shared/bob/zones/alice,Contacts.json || exit 1
block CloudStore.docc/SampleTree.md json 5 | same cloud/cloud.json || exit 1
block CloudStore.docc/SampleTree.md json 6 | same $zone/zone.json || exit 1

# Each file is in the page's listing, and each name of the listing is in the tree.
block CloudStore.docc/SampleTree.md text 1 >listing.txt
find cloud -type f | while IFS= read -r file; do
  grep -qF "$(basename "$file")" listing.txt || fail "the listing lacks $file"
done || exit 1
for name in $(cat listing.txt); do
  find cloud | grep -qF "/${name%/}" || [ "$name" = cloud/ ] || fail "there is no $name"
done
# The journal's first frame. The header before it depends on the boot.
od -A d -t x1z -v $zone/.journal/log | head -n 7 >journal.txt
block CloudStore.docc/SampleTree.md text 2 >shown.txt
[ "$(sed 1,3d shown.txt)" = "$(sed 1,3d journal.txt)" ] || fail "the journal begins so: $(cat journal.txt)"

LOCALCLOUD_ROOT=$PWD/cloud && export LOCALCLOUD_ROOT
check_cloud
