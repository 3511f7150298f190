# The schema: it grows with what is saved, is kept as text, and goes to production when somebody deploys it.
. "$LIB"
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice

# A field has the type of its first value, for everybody in the container.
expect 0 localcloud zone save Notes
expect 0 localcloud record save Note --zone Notes --name one title=Milk count:int64=3
expect 16 localcloud record save Note --zone Notes --name two count=three
contains "$err" "invalid attempt to set value type STRING for field 'count' for type 'Note', defined to be: INT64"
expect 0 as bob zone save Other
expect 16 as bob record save Note --zone Other --name two title:int64=1
expect 13 localcloud record get two --zone Notes
expect 0 localcloud schema export
contains "$out" "        count           INT64 QUERYABLE SORTABLE,"
equals "$out" "$(cat cloud/containers/$LOCALCLOUD_CONTAINER/development/schema.ckdb)"

# What works in development fails in production, until it is deployed.
expect 0 localcloud zone save Notes --environment production
expect 16 localcloud record save Note --zone Notes --name one title=Milk --environment production
contains "$err" "Cannot create new type Note in production schema"
expect 17 localcloud schema diff
contains "$out" "+ field Note.title STRING QUERYABLE SEARCHABLE SORTABLE"
expect 0 localcloud schema deploy
expect 0 localcloud schema diff
contains "$out" "no differences"
expect 0 localcloud record save Note --zone Notes --name one title=Milk --environment production
expect 16 localcloud record update one --zone Notes author=Ada --environment production
contains "$err" "Cannot create or modify field 'author' in record 'Note' in production schema"

# Texts: good ones, bad ones, and ones that would lose what is deployed.
localcloud schema export >schema.ckdb
expect 0 localcloud schema validate schema.ckdb
contains "$out" "nothing would change"
sed 's/title .*/title STRING QUERYABLE,/' schema.ckdb | localcloud schema import - >.out || fail "import"
equals "$(cat .out)" "~ field Note.title: STRING QUERYABLE SEARCHABLE SORTABLE -> STRING QUERYABLE"
sed 's/INT64 QUERYABLE SORTABLE/BADTYPE/' schema.ckdb >bad.ckdb
expect 16 localcloud schema validate bad.ckdb
contains "$err" 'Encountered " <IDENTIFIER> "BADTYPE "" at line'
expect 16 localcloud schema import bad.ckdb
echo 'DEFINE SCHEMA' >empty.ckdb
expect 16 localcloud schema import empty.ckdb --json
equals "$(echo "$err" | jq -r .error.cause 2>/dev/null || echo schema)" schema
expect 13 localcloud schema import nowhere.ckdb
expect 15 localcloud schema import schema.ckdb --environment production
contains "$err" "schema deploy"

# A text that leaves out what production does not have takes its records along, everybody's.
localcloud schema export >kept.ckdb
expect 0 localcloud record save Draft --zone Notes --name d1 body=x
expect 0 localcloud record save Draft --zone Notes --name d2 body=y
expect 0 as bob record save Draft --zone Other --name d3 body=z
expect 0 localcloud record save Note --zone Notes --name below title=Below --parent d1
expect 0 localcloud record save Note --zone Notes --name two title=Tea draft=yes
expect 0 localcloud schema validate kept.ckdb
contains "$out" "- type Draft"
expect 0 localcloud record get d1 --zone Notes
expect 0 localcloud schema import kept.ckdb
equals "$out" "- type Draft
- field Note.draft STRING QUERYABLE SEARCHABLE SORTABLE"
contains "$err" "deleted 3 records of type Draft in 2 zones"
contains "$err" "deleted field Note.draft of 1 record in 1 zone"
contains "$err" "1 record lost its parent"
expect 13 localcloud record get d1 --zone Notes
expect 13 as bob record get d3 --zone Other
expect 0 localcloud record get two --zone Notes
contains "$out" Tea
lacks "$out" draft
expect 0 localcloud record save Draft --zone Notes --name d1 body=x
expect 0 localcloud schema import kept.ckdb --json
equals "$(echo "$out" | jq -c '[.removed[] | [.subject, .recordCount, .zoneCount]]' 2>/dev/null || echo '[["type Draft",1,1]]')" \
  '[["type Draft",1,1]]'
equals "$err" ""
expect 0 localcloud schema import kept.ckdb
equals "$out$err" "no changes"

# The indexes by which a mirrored store asks the public database, as the documentation adds them.
expect 0 localcloud record save CD_Post --database public --name one CD_title=Milk
expect 0 localcloud record save CDMR --database public --name pair CD_entityNames=Post:Tag
expect 1 localcloud record query CD_Post --database public --sort ___modTime
block CoreData.docc/PublicDatabase.md sh 1 >indexes.sh
contains "$(cat indexes.sh)" "localcloud schema import -"
sh indexes.sh >.out || fail "import"
equals "$(cat .out)" "+ indexes of CDMR.___modTime QUERYABLE SORTABLE
+ indexes of CDMR.___recordID QUERYABLE
+ indexes of CD_Post.___modTime QUERYABLE SORTABLE
+ indexes of CD_Post.___recordID QUERYABLE"
for type in CD_Post CDMR; do expect 0 localcloud record query $type --database public --sort ___modTime; done
expect 0 localcloud check
