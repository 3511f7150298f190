# A cloud in git. What is cloned lacks the folders that were empty, such as that of the records of a zone without any: it
# is whole, whatever is done first in it.
. "$LIB"
needs git
new_cloud alice bob
export LOCALCLOUD_ACCOUNT=alice
for zone in Empty Emptied Notes; do expect 0 localcloud zone save $zone; done
expect 0 localcloud record save Note --zone Emptied --name gone text=a
expect 0 localcloud record delete gone --zone Emptied
expect 0 localcloud record save Note --zone Notes --name milk text='Buy milk'
check_cloud

export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=Alice GIT_AUTHOR_EMAIL=alice@example.com
export GIT_COMMITTER_NAME=Alice GIT_COMMITTER_EMAIL=alice@example.com
git init --quiet repository || fail "git init"
mv cloud repository/cloud
original=$PWD/repository/cloud
commit() { (cd repository && git add --all && git commit --quiet --message "A cloud") || fail "git commit"; }
commit

clone() {
  rm -rf clone
  git clone --quiet repository clone || fail "git clone"
  LOCALCLOUD_ROOT=$PWD/clone/cloud
  for name in Empty Emptied; do
    [ ! -e "$(zone_folder alice $name)/records" ] || fail "git kept an empty folder: this tests nothing"
  done
}

clone
expect 0 localcloud check
contains "$out" "no problems found"
expect 0 localcloud repair
contains "$out" "nothing to repair"
expect 0 localcloud zone list
for name in Empty Emptied Notes; do contains "$out" $name; done

# Whichever comes first.
for first in "zone list" "record list --zone Empty" "record query Note --zone Empty" "record query Note --all-zones" \
  "changes" "changes --zone Empty" "changes --zone Emptied" "record save Note --zone Empty --name new text=b" \
  "record save Note --zone Emptied --name gone text=b" "record update milk --zone Notes text=b" \
  "zone save More" "zone delete Empty --yes" "share create --zone Empty" "export all.jsonl" "schema export" \
  "account add carol"; do
  clone
  expect 0 localcloud $first
  expect 0 localcloud check
  contains "$out" "no problems found"
done
clone
expect 13 localcloud record get none --zone Empty
expect 0 localcloud record save Note --zone Empty --name first text=a
expect 0 localcloud changes --zone Empty
contains "$out" first
expect 0 localcloud record delete first --zone Empty
expect 0 localcloud record list --zone Empty
contains "$err" "no records"
check_cloud

# With a share and something sealed. Git keeps no modes: where others may read what is cloned, they may read the keychains,
# too. That is told and mended.
LOCALCLOUD_ROOT=$original
expect 0 localcloud record update milk --zone Notes secret:encrypted=hush
expect 0 localcloud share create milk --zone Notes --with bob@example.com --permission readWrite
expect 0 as bob share accept "$(echo "$out" | head -n 1)"
check_cloud
commit
(umask 077 && clone) || exit 1
LOCALCLOUD_ROOT=$PWD/clone/cloud
check_cloud
clone
chmod 644 clone/cloud/devices/*/keychain.json
expect 17 localcloud check
equals "$(echo "$out" | grep -c "a keychain that others can read")" 2
expect 0 localcloud repair
check_cloud
expect 0 as bob record update milk --database shared --zone Notes text='Buy oat milk'
expect 0 localcloud record get milk --zone Notes
contains "$out" 'Buy oat milk'
contains "$out" hush
check_cloud
