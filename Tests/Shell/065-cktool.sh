# A script as people write them for cktool, its "xcrun cktool" in a variable: from an empty container to a schema in
# production and records that are found.
. "$LIB"
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
unset LOCALCLOUD_CONTAINER

cat >seed.sh <<'SCRIPT'
#!/bin/sh
set -eu
CKTOOL=${CKTOOL:-"xcrun cktool"}
TEAM=WWDRTEAMID
CONTAINER=iCloud.com.example.Library

$CKTOOL save-token "$TOKEN" --type management --force
$CKTOOL save-token "$TOKEN" --type user
$CKTOOL get-teams

$CKTOOL reset-schema \
  --team-id "$TEAM" \
  --container-id "$CONTAINER"

$CKTOOL validate-schema \
  --team-id "$TEAM" \
  --container-id "$CONTAINER" \
  --environment development \
  --file library.ckdb
$CKTOOL import-schema \
  --team-id "$TEAM" \
  --container-id "$CONTAINER" \
  --environment development \
  --file library.ckdb

while read -r title pages published; do
  $CKTOOL create-record \
    --team-id "$TEAM" \
    --container-id "$CONTAINER" \
    --environment "$ENVIRONMENT" \
    --database-type public \
    --zone-name _defaultZone \
    --record-type Book \
    --fields-json '{
      "title":       { "type": "stringType", "value": "'"$title"'" },
      "pageCount":   { "type": "int64Type", "value": '"$pages"' },
      "publishedOn": { "type": "timestampType", "value": "'"$published"'" },
      "cover":       { "type": "assetType", "value": "COVER" }
    }' \
    --asset-files COVER=cover.jpg >created.json
done <books.txt
SCRIPT
cat >library.ckdb <<'SCHEMA'
DEFINE SCHEMA

    RECORD TYPE Book (
        "___recordID" REFERENCE QUERYABLE,
        cover         ASSET,
        pageCount     INT64 QUERYABLE SORTABLE,
        publishedOn   TIMESTAMP QUERYABLE SORTABLE,
        title         STRING QUERYABLE SEARCHABLE SORTABLE,
        GRANT WRITE TO "_creator",
        GRANT CREATE TO "_icloud",
        GRANT READ TO "_world"
    );
SCHEMA
printf 'Nemo 300 1870-03-20\nMysterious 620 1875-09-12T21:12:42Z\nBalloon 250 1863-01-31\n' >books.txt
echo picture >cover.jpg

export CKTOOL="localcloud cktool" TOKEN=abc
expect 0 env ENVIRONMENT=development sh seed.sh
contains "$out" "LOCALCLOUD: LocalCloudKit"
contains "$out" "✅ Schema is valid."

# What was seeded is found by value, with guessed and given types, sorted, in pages.
query() {
  $CKTOOL query-records --team-id T --container-id iCloud.com.example.Library --database-type public \
    --environment development --record-type Book "$@"
}
titles() { sed -n 's/^ *"value": "\([A-Z][a-z]*\)"$/\1/p' | tr '\n' ' '; }
expect 0 query --filters "pageCount > 260" "publishedOn < 1875-01-01" --requested-fields title
equals "$(echo "$out" | titles)" "Nemo "
expect 0 query --filters 'title == "Balloon"' --requested-fields title
equals "$(echo "$out" | titles)" "Balloon "
expect 0 query --filters "title CONTAINS_ANY_TOKENS stringType:nemo" --requested-fields title
equals "$(echo "$out" | titles)" "Nemo "
expect 0 query --sort-by "pageCount DESC" --requested-fields title --limit 2
equals "$(echo "$out" | titles)" "Mysterious Nemo "
token=$(echo "$out" | sed -n 's/^ *"continuationToken": "\(.*\)",$/\1/p')
[ -n "$token" ] || fail "there are more, but there is no token: $out"
expect 0 query --sort-by "pageCount DESC" --requested-fields title --limit 2 --continuation-token "$token"
equals "$(echo "$out" | titles)" "Balloon "
lacks "$out" continuationToken
expect 1 query --filters "title == 5"
contains "$err" "Field 'title' has a value type of STRING and cannot be queried using filter value type INT64"
equals "$out" ""

# The query of the house takes a value as it looks, too; a type that is said is a text here.
expect 1 localcloud record query Book --database public --container iCloud.com.example.Library --filter "title == 5"
contains "$err" "cannot be queried using filter value type INT64"
expect 0 query --filters "title == stringType:5" --requested-fields title
lacks "$out" title

# Production has no schema yet; the console deploys it, here "schema deploy" does.
expect 16 localcloud cktool validate-schema --team-id T --container-id iCloud.com.example.Library \
  --environment development --file created.json
contains "$err" "❌ Schema validation failed: Encountered"
expect 15 localcloud cktool import-schema --team-id T --container-id iCloud.com.example.Library --environment production \
  --file library.ckdb
contains "$err" "invalid-scope"
expect 0 localcloud cktool export-schema --team-id T --container-id iCloud.com.example.Library \
  --environment development --output-file exported.ckdb
equals "$out" ""
expect 0 localcloud schema deploy --container iCloud.com.example.Library
localcloud cktool export-schema --container-id iCloud.com.example.Library --environment production >production.ckdb
cmp exported.ckdb production.ckdb || fail "production has another schema"
# The script resets development, which keeps what was deployed, and writes to production.
expect 0 env ENVIRONMENT=production sh seed.sh
expect 0 $CKTOOL query-records --team-id T --container-id iCloud.com.example.Library --database-type public \
  --environment production --record-type Book --filters "pageCount >= 300" --sort-by title --requested-fields title
equals "$(echo "$out" | titles)" "Mysterious Nemo "
expect 0 query
lacks "$out" title
localcloud cktool export-schema --container-id iCloud.com.example.Library --environment development >after.ckdb
cmp after.ckdb production.ckdb || fail "a reset kept another schema"

# An import takes the records along that it leaves no type for, and asks nobody; what production has it does not leave out.
expect 0 localcloud cktool create-record --container-id iCloud.com.example.Library --environment development \
  --database-type public --record-type Book --fields-json '{"title": {"type": "stringType", "value": "Nemo"}}'
cp after.ckdb more.ckdb
echo 'RECORD TYPE Loan (who STRING, GRANT CREATE TO "_icloud", GRANT READ TO "_world");' >>more.ckdb
expect 0 localcloud cktool import-schema --container-id iCloud.com.example.Library --environment development --file more.ckdb
equals "$out$err" ""
expect 0 localcloud cktool create-record --container-id iCloud.com.example.Library --environment development \
  --database-type public --record-type Loan --fields-json '{"who": {"type": "stringType", "value": "Ada"}}'
expect 0 localcloud cktool import-schema --container-id iCloud.com.example.Library --environment development --file after.ckdb
equals "$out" ""
equals "$err" "deleted 1 record of type Loan in 1 zone"
echo 'DEFINE SCHEMA' >nothing.ckdb
expect 16 localcloud cktool import-schema --container-id iCloud.com.example.Library --environment development \
  --file nothing.ckdb
contains "$err" "- type Book, which is deployed to production"

# Deleting counts until it is told to delete.
delete() {
  $CKTOOL delete-records --container-id iCloud.com.example.Library --environment production --database-type public \
    --record-type Book --filters "pageCount < 1000" "$@"
}
expect 0 delete
equals "$out" "Dry run. Found 3 matching records to delete."
expect 0 delete --dry-run false -y
expect 0 delete --dry-run true
equals "$out" "Dry run. Found 0 matching records to delete."
check_cloud
