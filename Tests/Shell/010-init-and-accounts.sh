# Making a cloud, choosing it, and the accounts in it.
. "$LIB"

expect 10 localcloud status
contains "$out" "$HOME/.local/share/localcloud"
contains "$err" "localcloud init"

# The user data folder, where nothing else is said.
expect 0 localcloud init
equals "$out" "$HOME/.local/share/localcloud"
contains "$err" "localcloud account add"
expect 0 env XDG_DATA_HOME="$PWD/data" localcloud init
equals "$out" "$PWD/data/localcloud"

# A folder of one's own: as an argument, as an option, as a variable.
expect 0 localcloud init ./one
equals "$out" "$PWD/one"
contains "$err" "export LOCALCLOUD_ROOT='$PWD/one'"
[ -f one/cloud.json ] || fail "there is no cloud.json"
expect 0 localcloud init --root two/deep
equals "$out" "$PWD/two/deep"
expect 0 env LOCALCLOUD_ROOT="$PWD/three" localcloud init
equals "$out" "$PWD/three"

# Never over something else.
expect 1 localcloud init one
contains "$err" "--if-missing"
expect 0 localcloud init one --if-missing
mkdir full && echo mine >full/file
expect 1 localcloud init full
equals "$(ls full)" "file"
expect 64 localcloud init one --root two

# Inside a cloud's folder, that cloud is meant.
expect 0 sh -c 'cd one/accounts && localcloud status'
contains "$out" "$PWD/one"
contains "$out" "folder above"

LOCALCLOUD_ROOT=$PWD/one
export LOCALCLOUD_ROOT
expect 0 localcloud account list
equals "$out" ""
expect 0 localcloud account add alice --email Alice@Example.com --email a@example.org --phone "+1 (555) 010-0100" \
  --given-name Alice --family-name Liddell
contains "$out" "added alice, user record _"
expect 0 localcloud account add bob
expect 1 localcloud account add bob
expect 1 localcloud account add carol --email alice@example.com
contains "$err" "belongs to the account alice"
expect 1 localcloud account add "no spaces"
expect 1 localcloud account add carol --email nonsense
expect 1 localcloud account add carol --phone nonsense
expect 0 localcloud account list
contains "$out" "alice@example.com, a@example.org"
contains "$out" "+15550100100"
contains "$out" "Alice Liddell"
lacks "$out" carol

expect 0 env LOCALCLOUD_ACCOUNT=alice localcloud account show
contains "$out" "account alice"
expect 0 localcloud account show bob
contains "$out" "account bob"
expect 64 localcloud account show
expect 13 localcloud account show carol

# --email replaces; what is not named stays.
expect 0 localcloud account set alice --email new@example.com --status restricted
expect 0 localcloud account show alice
contains "$out" new@example.com
lacks "$out" a@example.org
contains "$out" +15550100100
contains "$out" restricted
expect 0 localcloud account set alice --email ""
expect 0 localcloud account show alice
lacks "$out" e-mail
expect 64 localcloud account set alice
expect 64 localcloud account set alice --status asleep

# Removing asks, and nobody is there to answer.
expect 64 localcloud account remove bob
contains "$err" "--yes"
expect 0 localcloud account remove bob --yes
expect 13 localcloud account show bob
expect 13 localcloud account remove bob --yes

# The settings, as a shell reads them.
expect 0 env LOCALCLOUD_ROOT="$PWD/it's" localcloud env --account "al ice" --environment production
eval "$out"
equals "$LOCALCLOUD_ROOT" "$PWD/it's"
equals "$LOCALCLOUD_ACCOUNT" "al ice"
equals "$LOCALCLOUD_ENVIRONMENT" production
