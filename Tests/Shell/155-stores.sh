# A Core Data store, written by hand as its format says: what the tool tells of it, and removes.
. "$LIB"

mkdir -p data/my.sqlite/objects/Post data/my.sqlite/links/Post.tags data/my.sqlite/objects/Tag
store=data/my.sqlite
cat >"$store/store.json" <<'END'
{
  "formatVersion": 1,
  "metadata": { "app": "Posts" },
  "schema": {
    "Post": {
      "attributes": { "title": { "type": "string" } }, "hash": "aa",
      "relationships": { "tags": { "destination": "Tag", "inverse": "posts", "toMany": true } }
    },
    "Tag": {
      "attributes": { "name": { "type": "string" } }, "hash": "bb",
      "indexes": [{ "elements": [{ "property": "name" }], "name": "name", "unique": true }],
      "relationships": { "posts": { "destination": "Post", "inverse": "tags", "toMany": true } }
    }
  },
  "uuid": "5B2F6B0C-1F0E-4E55-9E5E-6D1C5C0F8A11"
}
END
echo '{"id":1,"values":{"title":"One"},"version":1}' >"$store/objects/Post/4.jsonl"
{
  echo '{"id":2,"values":{"name":"red"},"version":1}'
  echo '{"id":7,"values":{"name":"blue"},"version":1}'
} >"$store/objects/Tag/5.jsonl"
echo '{"from":"Post/1","id":3,"to":"Tag/2"}' >"$store/links/Post.tags/6.jsonl"
{
  printf '{"author":"app","bundle":"Posts","inserted":["Post/1","Tag/2","Tag/7"],"process":"7","sequence":7,'
  echo '"time":1785542400000,"transaction":7}'
} >"$store/history.jsonl"

expect 0 localcloud store list "$store"
contains "$out" "Post"
expect 0 localcloud store show "$store" Post/1
contains "$out" "Tag/2"
expect 0 localcloud store check "$store" --quiet
expect 0 localcloud store metadata "$store"
contains "$out" "5B2F6B0C-1F0E-4E55-9E5E-6D1C5C0F8A11"
contains "$out" "Posts"
expect 0 localcloud store history "$store" --json
contains "$out" '"Post/1"'
contains "$out" '"token": 7'
expect 0 localcloud store history "$store" --since 7 --json
case $out in *Post/1*) fail "the history tells what came before the token" ;; esac

expect 0 localcloud store history --help
contains "$out" "--since"

# Objects with the same values where only one may have them.
sed 's/blue/red/' "$store/objects/Tag/5.jsonl" >tags
cat tags >"$store/objects/Tag/5.jsonl"
rm "$store/.index/index"
expect 0 localcloud store list "$store"
expect 17 localcloud store check "$store"
contains "$out" "Tag/7 has the same name as Tag/2, which is unique"

# From within, a store is the folder that one is in, or above it.
(
  cd "$store" || exit 1
  expect 0 localcloud store list .
  contains "$out" "Post"
  expect 0 localcloud store show ./ Post/1
  expect 0 localcloud store metadata objects/..
  cd objects || exit 1
  expect 0 localcloud store history ..
  expect 17 localcloud store check ../
  expect 13 localcloud store check .
  contains "$err" ". is not a store"
) || exit 1

# What a person has to decide is left; with one name less there is nothing to repair.
expect 17 localcloud store repair "$store"
contains "$out" "left"
sed 's/"id":7,"values":{"name":"red"}/"id":7,"values":{"name":"blue"}/' "$store/objects/Tag/5.jsonl" >tags
cat tags >"$store/objects/Tag/5.jsonl"
rm "$store/.index/index"
expect 0 localcloud store repair "$store"
contains "$out" "made anew"
expect 0 localcloud store repair "$store"
contains "$out" "nothing to repair"
[ ! -e "$store/aside" ] || fail "something was set aside"

# A line that was spoiled, with the index lost: the other entity is read; repair sets the line aside, with a note.
sed 's/"name":"blue"/"name":blue/' "$store/objects/Tag/5.jsonl" >tags
cat tags >"$store/objects/Tag/5.jsonl"
rm "$store/.index/index"
expect 0 localcloud store list "$store" Post
expect 0 localcloud store show "$store" Tag/2
expect 19 localcloud store list "$store" Tag
contains "$err" "store repair"
expect 17 localcloud store check "$store"
contains "$out" "the line at byte 45 is not a row"
contains "$err" "store repair"
expect 0 localcloud store repair "$store" --json
contains "$out" "Tag/7 is lost"
contains "$out" '"state": "repaired"'
expect 0 localcloud store check "$store"
expect 0 localcloud store list "$store" Tag
contains "$out" "red"
case $out in *blue*) fail "the spoiled line is still an object" ;; esac
cmp -s tags "$(find "$store/aside" -name 5.jsonl)" || fail "the segment is not aside as it was"
contains "$(cat "$(find "$store/aside" -name notes.jsonl)")" '"row":"Tag/7"'

# Damage is told, and only a store is removed.
echo '{"id":90,"values":{"title":"Two"},"version":1}' >>"$store/objects/Post/4.jsonl"
expect 17 localcloud store check "$store"
echo '{' >store.json
cp "$store/store.json" kept.json
cp store.json "$store/store.json"
expect 17 localcloud store repair "$store"
contains "$out" "can't be made anew"
cp kept.json "$store/store.json"
expect 0 localcloud store repair "$store"
contains "$out" "it now begins after the number 90"
mkdir -p letters
echo hello >letters/one.txt
expect 13 localcloud store destroy letters --yes --force
[ -f letters/one.txt ] || fail "a folder that is no store was removed"
expect 64 localcloud store destroy "$store" </dev/null
expect 0 localcloud store destroy "$store" --yes
[ -e "$store" ] && fail "the store is still there"
expect 13 localcloud store show "$store" Post/1
exit 0
