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

# Damage is told, and only a store is removed.
echo '{"id":9,"values":{"title":"Two"},"version":1}' >>"$store/objects/Post/4.jsonl"
expect 17 localcloud store check "$store"
mkdir -p letters
echo hello >letters/one.txt
expect 13 localcloud store destroy letters --yes --force
[ -f letters/one.txt ] || fail "a folder that is no store was removed"
expect 64 localcloud store destroy "$store" </dev/null
expect 0 localcloud store destroy "$store" --yes
[ -e "$store" ] && fail "the store is still there"
expect 13 localcloud store show "$store" Post/1
exit 0
