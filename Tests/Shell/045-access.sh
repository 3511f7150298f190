# Links for one person, requests for access, administrators.
. "$LIB"
new_cloud alice bob carol

expect 0 as alice zone save Contacts
expect 0 as alice record save Contact --zone Contacts --name ada name=Ada
expect 0 as alice share create ada --zone Contacts
url=$out

# A link that lets in one person: to be used in a script as it is printed.
expect 0 as alice share link ada --zone Contacts --permission readWrite
link=$out
case $link in https://www.icloud.com/share/*) ;; *) fail "no link: $link" ;; esac
[ "$link" != "$url" ] || fail "the share's own link"
expect 0 as bob share accept "$link"
expect 0 as bob record update ada --database shared --zone Contacts name=Countess
expect 13 as carol share accept "$link"
expect 13 as carol share accept "$url"

# Asking: says the same whether or not there is something to be asked for.
expect 0 as carol share request "$url"
said=$out
expect 0 as carol share request "https://www.icloud.com/share/0nothing"
equals "$out" "$said"
expect 64 as carol share request nothing
expect 0 as alice share show "$url"
lacks "$out" waiting
contains "$out" bob
expect 0 as alice share link ada --zone Contacts
expect 0 as alice share show "$url"
contains "$out" "first to come"
expect 0 as alice share set "$url" --access-requests allowed
expect 0 as carol share request "$url"
equals "$out" "$said"
expect 0 as bob share show ada --zone Contacts --database shared
lacks "$out" waiting
expect 0 as alice share show "$url"
contains "$out" waiting
expect 0 as alice share approve "$url" --person carol
expect 0 as carol share accept "$url"
expect 0 as carol record get ada --database shared --zone Contacts
contains "$out" Countess

# An administrator runs the list, blocked people are gone from it.
expect 15 as bob share block "$url" --person carol
expect 0 as alice share set "$url" --participant bob --role administrator
expect 0 as bob share block "$url" --person carol
expect 13 as carol record get ada --database shared --zone Contacts
expect 0 as carol share request "$url"
expect 0 as alice share show "$url"
contains "$out" blocked
lacks "$out" waiting
expect 0 as alice check
