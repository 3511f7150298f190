#!/bin/sh
# The story of Apple's Tech Talk "Get the most out of CloudKit Sharing", by commands alone: Alice shares a contact by its
# link with Bob, who joins, edits and leaves; Carol, who was not invited, sees nothing. "wait" finds the changes of others.
#
#   Examples/tech-talk.sh            a new cloud in a temporary folder, removed at the end
#   Examples/tech-talk.sh -k         the cloud is kept, and its path printed
set -eu

here=$(cd "$(dirname "$0")" && pwd)
[ -n "${LOCALCLOUD_HOMES:-}" ] || exec "$here/run" localcloud alice,bob,carol "$0" "$@"
. "$here/lib.sh"
# The commands for what others share with Bob or Carol.
shared="--database shared --zone Contacts"

say "Alice has a zone with two contacts; she and Bob ask to be told of changes"
as alice localcloud zone save Contacts
as alice localcloud record save Contact --zone Contacts --name dave name='Dave Knox' phoneNumber=417-555-9311
as alice localcloud record save Contact --zone Contacts --name ada name='Ada Lovelace' phoneNumber=555-0100
as alice localcloud subscription create zone contacts --zone Contacts
as bob localcloud subscription create database shared-contacts --database shared

say "She shares one of them with Bob, who may write; he opens the link, and both wait for the other"
as bob localcloud wait record dave $shared --timeout 60 >seen &
bob=$!
url=$(as alice localcloud share create dave --zone Contacts --with bob --permission readWrite --quiet)
as alice localcloud wait share dave --zone Contacts --accepted-by bob --timeout 60 >joined &
alice=$!
as bob localcloud share accept "$url"
wait "$alice" || wrong "Alice does not see that Bob has joined"
wait "$bob" || wrong "Bob does not see the contact"
expect "accepted" cat joined
expect "417-555-9311" cat seen
[ "$(as bob localcloud record count Contact $shared)" = 1 ] || wrong "Bob sees more than is shared"

say "Bob edits it; Alice sees the edit when it is there, and her device gets a push"
pushes=$(as alice localcloud push list --count)
as alice localcloud wait record dave --zone Contacts --until 'phoneNumber == 417-555-0000' --timeout 60 >edited &
alice=$!
as bob localcloud record update dave $shared phoneNumber=417-555-0000
wait "$alice" || wrong "Alice does not see the edit"
expect "417-555-0000" cat edited
expect "contacts" as alice localcloud wait push --subscription contacts --since "$pushes" --timeout 60

say "Alice edits it, too: Bob's device gets a push"
pushes=$(as bob localcloud push list --count)
as alice localcloud record update dave --zone Contacts name='David Knox'
expect "shared-contacts" as bob localcloud wait push --subscription shared-contacts --since "$pushes" --timeout 60
[ "$(as bob localcloud record get dave $shared --value name)" = "David Knox" ] || wrong "Bob does not see the name"

say "Carol has the link, and was not invited; Bob may not see the other contact"
as carol localcloud share accept "$url" --expect unknownItem
as carol localcloud record get dave $shared --owner alice --expect zoneNotFound
as bob localcloud record get ada $shared --expect unknownItem

say "Bob leaves: he sees nothing any more, and Alice keeps his edit"
as bob localcloud wait zone Contacts --database shared --deleted --timeout 60 >left &
bob=$!
as bob localcloud share leave "$url"
wait "$bob" || wrong "Bob still has the zone"
as bob localcloud record get dave $shared --owner alice --expect zoneNotFound
[ "$(as alice localcloud record get dave --zone Contacts --value phoneNumber)" = 417-555-0000 ] || wrong "the edit is lost"

say "Everything is in order"
localcloud check
