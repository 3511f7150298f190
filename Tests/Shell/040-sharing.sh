# Two people and a record: from the invitation to the end.
. "$LIB"
new_cloud alice bob carol

expect 0 as alice zone save Contacts
expect 0 as alice record save Contact --zone Contacts --name ada name=Ada
expect 0 as alice record save Phone --zone Contacts --name phone --parent ada number=1
expect 0 as alice record save Contact --zone Contacts --name secret name=Secret

expect 0 as alice share create ada --zone Contacts --title "Ada's card" --with bob@example.com
url=$out
case $url in https://www.icloud.com/share/*) ;; *) fail "no link: $url" ;; esac
contains "$err" "shared ada"
expect 1 as alice share create ada --zone Contacts
contains "$err" alreadyShared
expect 0 as alice share show ada --zone Contacts
contains "$out" "$url"
contains "$out" "bob@example.com"
contains "$out" pending
expect 13 as alice share show secret --zone Contacts
contains "$err" "not shared"

# Nothing is seen before it is accepted, and nobody comes uninvited.
expect 0 as bob zone list --database shared
equals "$out" ""
expect 13 as bob record list --database shared --zone Contacts
expect 13 as carol share accept "$url"
expect 13 as carol share show "$url"
expect 0 as bob share show "$url"
contains "$out" "Ada's card"
expect 0 as bob share accept "$url"
contains "$out" "joined Ada's card: zone Contacts of alice"
contains "$err" "localcloud record list --database shared --zone Contacts --owner alice"
expect 0 as bob share accept "$url"
expect 1 as alice share accept "$url"

# The shared database: the tree, and nothing beside it.
expect 0 as bob record list --database shared --zone Contacts --owner alice
contains "$out" Ada
contains "$out" phone
lacks "$out" Secret
expect 0 as bob record list Contact --owner alice@example.com --zone Contacts
expect 0 as bob record get phone --database shared
expect 13 as bob record get secret --database shared --zone Contacts
expect 13 as bob record get ada --zone Contacts

# Reading is not writing.
expect 15 as bob record update ada --database shared --zone Contacts name=Bob
contains "$err" "WRITE operation not permitted"
expect 0 as alice share set ada --zone Contacts --participant bob --permission readWrite
expect 0 as bob record update ada --database shared --zone Contacts name=Bob
expect 0 as bob record save Phone --database shared --zone Contacts --name second --parent phone number=2
expect 15 as bob record save Phone --database shared --zone Contacts --name stray number=3
expect 0 as alice record get ada --zone Contacts
contains "$out" Bob
contains "$out" "by bob on bob-device"

# A third person, by account name; then off the list again.
expect 0 as alice share invite "$url" --to carol
expect 1 as alice share invite "$url" --to carol@example.com
expect 0 as carol share accept "$url"
expect 15 as carol share invite "$url" --to dave@example.com
expect 0 as alice share remove ada --zone Contacts --participant carol
expect 13 as carol record list --database shared --zone Contacts
expect 13 as alice share remove ada --zone Contacts --participant carol

# Each may end it in their own way only.
expect 64 as bob share stop "$url"
contains "$err" "share leave"
expect 64 as alice share leave "$url"
contains "$err" "share stop"
expect 0 as bob share leave ada --zone Contacts
expect 13 as bob record list --database shared --zone Contacts
expect 0 as alice share show ada --zone Contacts
contains "$out" pending
expect 0 as bob share accept "$url"
expect 0 as bob zone delete Contacts --database shared --yes
expect 13 as bob record list --database shared --zone Contacts
expect 0 as bob share accept "$url"

expect 0 as alice share stop ada --zone Contacts
expect 13 as bob record list --database shared --zone Contacts
expect 13 as bob share accept "$url"
expect 0 as alice record get ada second --zone Contacts

# A public link: whoever has it.
expect 0 as alice share create ada --zone Contacts --public-permission readOnly --quiet
public=$out
expect 0 as carol share accept "$public"
expect 0 as carol record list Contact --database shared --zone Contacts
contains "$out" Bob
expect 0 as alice share set "$public" --public-permission none
expect 13 as carol record list --database shared --zone Contacts

# Two people share zones of one name: who is meant must be said.
expect 0 as alice share invite "$public" --to bob
expect 0 as carol zone save Contacts
expect 0 as carol record save Contact --zone Contacts --name carols
expect 0 as carol share create carols --zone Contacts --with bob
expect 0 as bob share accept "$out"
expect 0 as bob share accept "$public"
expect 64 as bob record list Contact --database shared --zone Contacts
contains "$err" "Contacts of alice"
contains "$err" "Contacts of carol"
expect 0 as bob record list Contact --zone Contacts --owner carol
contains "$out" carols
expect 0 as bob zone delete Contacts --owner carol --yes
expect 0 as bob record list Contact --database shared --zone Contacts
check_cloud
