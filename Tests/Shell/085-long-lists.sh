# Lists of many pages: written page by page, and ended quietly when their reader ends first.
. "$LIB"
needs awk head
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice

expect 0 localcloud zone save Long
awk 'BEGIN {
  text = sprintf("%200s", "")
  for (i = 1000; i < 2000; i++)
    printf "{\"recordName\":\"r%d\",\"recordType\":\"Note\",\"fields\":{\"text\":\"%s.\"}}\n", i, text
}' >records.jsonl
expect 0 localcloud import records.jsonl --zone Long

# Every form is longer than a pipe holds, so the tool is still writing when its reader ends.
closed() {
  { localcloud "$@" 2>errors; echo $? >status; } | head -n 1 >first
  equals "$(cat status)" 0 "$*"
  [ -s first ] || fail "$* wrote nothing"
  [ ! -s errors ] || fail "$* said: $(cat errors)"
}
for form in table tsv jsonl json; do
  closed record list --zone Long --format $form
  closed record list Note --zone Long --format $form
  closed record query Note --zone Long --format $form
done
closed changes --zone Long --format jsonl
closed export --zone Long
closed export --zone Long --json

# The whole of it, for a reader that stays.
expect 0 localcloud record list --zone Long --format tsv
equals "$(echo "$out" | wc -l | tr -d ' ')" 1001
expect 0 localcloud record list Note --zone Long --format jsonl
equals "$(echo "$out" | wc -l | tr -d ' ')" 1000
expect 0 localcloud check

# A default zone loses its records 400 at a time.
expect 0 localcloud import records.jsonl --zone _defaultZone
expect 0 localcloud zone delete _defaultZone --yes
expect 0 localcloud record count Note
equals "$out" 0
expect 0 localcloud zone delete Long --yes
ls -a "$LOCALCLOUD_ROOT"/containers/*/development/private/alice/zones >zones
lacks "$(cat zones)" .deleted-
expect 0 localcloud check
