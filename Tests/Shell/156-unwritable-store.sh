# A Core Data store on a disk that is full, or that can't be written: it can be read, with and without its index.
. "$LIB"
needs jq mount umount
[ "$(id -u)" -eq 0 ] || skip "only root can mount a small disk"
mkdir disk
mount -t tmpfs -o size=1m,mode=755 tmpfs disk 2>/dev/null || skip "this machine lets nobody mount a small disk"
trap 'umount disk 2>/dev/null || umount -l disk' EXIT
trap 'exit 1' HUP INT TERM

store=disk/my.sqlite
mkdir -p "$store/objects/Post"
cat >"$store/store.json" <<'END'
{
  "formatVersion": 1,
  "metadata": { "app": "Posts" },
  "schema": { "Post": { "attributes": { "title": { "type": "string" } }, "hash": "aa" } },
  "uuid": "5B2F6B0C-1F0E-4E55-9E5E-6D1C5C0F8A11"
}
END
number=1
while [ $number -le 500 ]; do
  echo "{\"id\":$number,\"values\":{\"title\":\"$(printf '%0200d' $number)\"},\"version\":1}"
  number=$((number + 1))
done >"$store/objects/Post/501.jsonl"
echo '{"bundle":"Posts","inserted":["Post/1"],"process":"7","sequence":501,"time":1785542400000,"transaction":501}' \
  >"$store/history.jsonl"

# What the commands tell of the store.
look() {
  expect 0 localcloud store list "$store" --json
  equals "$(echo "$out" | jq -c '.entities[0].objects')" 500 "$1"
  expect 0 localcloud store show "$store" Post/500 --json
  equals "$(echo "$out" | jq -r '.values.title')" "$(printf '%0200d' 500)" "$1"
  expect 0 localcloud store history "$store"
  contains "$out" "token 501"
  expect 0 localcloud store metadata "$store"
  contains "$out" "Posts"
  expect 0 localcloud store sync "$store"
  expect 0 localcloud store events "$store"
}
look "a disk with room"
expect 0 localcloud store check "$store"

# No byte is left, and the index is not there.
rm "$store/.index/index"
cat /dev/zero >disk/ballast 2>/dev/null
[ -s disk/ballast ] || fail "the disk does not get full"
look "a full disk"
[ -e "$store/.index/index" ] && fail "the index was written on a full disk"

mount -o remount,ro disk 2>/dev/null || skip "this machine lets nobody make a disk read only"
look "a disk that can only be read"
mount -o remount,rw disk

# With room again nobody has to do anything.
rm disk/ballast
look "a disk with room again"
[ -s "$store/.index/index" ] || fail "there is no index"
expect 0 localcloud store check "$store"
exit 0
