#!/bin/sh
# A schema on its way from development to production: what is saved makes it, a text says it, indexes decide what can be
# asked, and everything that iCloud refuses on the way is refused here, too.
#
#   Examples/deploy-a-schema.sh            a new cloud in a temporary folder, removed at the end
#   Examples/deploy-a-schema.sh -k         the cloud is kept, and its path printed
#
# Ends with a status other than 0 at the first step that does not do what it should.
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" Queries alice "$0" "$@"
. "$here/lib.sh"

say "A cloud with one account; in development, saving makes the type and its field"
as alice Queries add "Ada Lovelace" "Alan Turing" "Grace Hopper" "Annie Easley"
expect "name            STRING QUERYABLE SEARCHABLE SORTABLE" localcloud schema export

say "Names by prefix"
expect "Ada Lovelace" as alice Queries find A
expect "  --" as alice Queries find A 2
as alice Queries find Gr

say "A schema that forgets the indexes: the same question is refused"
printf 'DEFINE SCHEMA RECORD TYPE Contact (name STRING);' >bare.ckdb
expect "STRING QUERYABLE SEARCHABLE SORTABLE -> STRING" localcloud schema import bare.ckdb
refused "CKError 12: Type is not marked indexable: Contact" as alice Queries find A
printf 'DEFINE SCHEMA RECORD TYPE Contact (name STRING QUERYABLE);' >half.ckdb
localcloud schema import half.ckdb
refused "CKError 12: Field 'name' is not marked sortable" as alice Queries find A

say "A text that is wrong says where, and changes nothing"
sed 's/SORTABLE/SORTED/' "$here/Queries/schema.ckdb" >wrong.ckdb
refused 'Encountered " <IDENTIFIER> "SORTED "" at line 7' localcloud schema import wrong.ckdb

say "The schema that is kept beside the code"
localcloud schema validate "$here/Queries/schema.ckdb"
localcloud schema import "$here/Queries/schema.ckdb"
expect "Annie Easley" as alice Queries list

say "Production knows nothing of it: it makes no types, and has none to ask for"
export LOCALCLOUD_ENVIRONMENT=production
refused "Cannot create new type Contact in production schema" as alice Queries add "Ada Lovelace"
refused "Did not find record type: Contact" as alice Queries find A
refused "invalid-scope" localcloud schema import "$here/Queries/schema.ckdb"

say "It is deployed; records are not"
LOCALCLOUD_ENVIRONMENT=development
if localcloud schema diff; then wrong "production should lack the type"; fi
expect "+ type Contact" localcloud schema deploy
expect "no differences" localcloud schema diff
LOCALCLOUD_ENVIRONMENT=production
[ -z "$(as alice Queries find A)" ] || wrong "records were deployed"
as alice Queries add "Ada Lovelace" "Alan Turing"
expect "Alan Turing" as alice Queries find A
refused "Cannot create or modify field 'nick' in record 'Contact' in production schema" \
  as alice localcloud record save Contact --name ada nick=Ada

say "What is deployed stays: nobody takes it away, or makes something else of it"
LOCALCLOUD_ENVIRONMENT=development
printf 'DEFINE SCHEMA' >nothing.ckdb
refused "- type Contact, which is deployed to production" localcloud schema import nothing.ckdb
printf 'DEFINE SCHEMA RECORD TYPE Contact (name INT64);' >other.ckdb
refused "STRING QUERYABLE SORTABLE -> INT64, which is deployed" localcloud schema import other.ckdb

say "Development starts over as production is, without its data; cktool's words do it, too"
as alice localcloud record save Contact nick=Ada
localcloud schema diff || true
localcloud cktool reset-schema --container-id "$LOCALCLOUD_CONTAINER"
expect "no differences" localcloud schema diff
[ -z "$(as alice Queries list)" ] || wrong "development kept its records"
localcloud cktool query-records --container-id "$LOCALCLOUD_CONTAINER" --environment production \
  --database-type private --account alice --record-type Contact --filters "name == \"Alan Turing\"" --requested-fields name

say "Everything is in order"
localcloud check
