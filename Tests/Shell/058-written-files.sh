# Files that are written for a user: links are followed, what is no file is written to, nothing is put into a cloud, nothing
# is left of what a signal cut short, and nobody else may read them.
. "$LIB"
needs jq cmp mkfifo stat
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Album
head -c 300000 /dev/urandom >one
expect 0 localcloud record save Photo --zone Album --name p image:asset=one secret:encrypted=hush
image=$(zone_folder alice Album)/assets
image=$image/$(ls "$image")
expect 0 localcloud export --no-assets
echo "$out" >exported
schema="cktool export-schema --container-id $LOCALCLOUD_CONTAINER --environment development --output-file"

# Devices, and other names of standard output: they stay what they are. Devices of our own, where we may make them: a
# mistake must not cost the machine its own.
full=/dev/full null=/dev/null
if [ "$(id -u)" = 0 ]; then
  mknod full c 1 7 2>/dev/null && full=$PWD/full
  mknod null c 1 3 2>/dev/null && null=$PWD/null
fi
if [ "$(id -u)" != 0 ] && [ -c /dev/full ] || [ -c full ] && true >>$full; then
  expect 19 localcloud export $full --no-assets
  contains "$err" "cannot write $full: No space left on device"
  [ -c $full ] || fail "$full is gone"
  expect 19 localcloud record get p --zone Album --asset-files image=$full
  expect 19 localcloud $schema $full
  expect 0 localcloud export $null --no-assets
  [ -c $null ] || fail "$null is gone"
else
  note "no device that is full"
fi
[ -e /proc/self/fd/1 ] && ln -s /proc/self/fd stdfds && ln -s stdfds/1 stdout
for name in stdout stdfds/1 /dev/fd/1; do
  [ -e $name ] || continue
  echo before >log
  localcloud export $name --no-assets >>log 2>said || fail "export $name: $(cat said)"
  equals "$(sed 1d log)" "$(cat exported)" "what went to $name"
  equals "$(head -n 1 log)" before "what was there before"
  localcloud export $name --no-assets 2>said | cmp -s - exported || fail "export $name into a pipe: $(cat said)"
done
(localcloud record get p --zone Album --asset-files image=/dev/fd/3 3>>log >got 2>said) || fail "/dev/fd/3: $(cat said)"
tail -c 300000 log | cmp -s - one || fail "the asset's bytes did not come to the descriptor"
localcloud export /dev/fd/1 --no-assets 2>said | head -c 1 >got || fail "the reader left: $(cat said)"
expect 19 localcloud export /dev/fd/200 --no-assets

# A named pipe.
mkfifo pipe
for command in "export pipe --no-assets" "record get p --zone Album --asset-files image=pipe" "$schema pipe"; do
  cat pipe >got &
  expect 0 localcloud $command
  wait
  [ -s got ] || fail "$command wrote nothing"
  [ -p pipe ] || fail "$command put something in the place of the pipe"
done

# Links, to a file, to one that is not there yet, and to a folder.
mkdir real
echo old >real/file
ln -s real/file link
ln -s ../real/new real/dangling
ln -s real folder
for name in link real/dangling folder/through; do
  for command in "export $name --no-assets" "record get p --zone Album --asset-files image=$name" "$schema $name"; do
    expect 0 localcloud $command
  done
done
[ -L link ] && [ -L real/dangling ] && [ -L folder ] || fail "a link is gone"
equals "$(ls real | tr '\n' ' ')" "dangling file new through "
expect 0 localcloud export link --no-assets
cmp -s real/file exported || fail "it is not where the link leads"

# Never into a cloud, by whatever way.
localcloud init --quiet ./second >/dev/null || fail "init"
mkdir -p below/b
ln -s "$LOCALCLOUD_ROOT/cloud.json" into-marker
ln -s "$LOCALCLOUD_ROOT/containers" into-folder
ln -s "$LOCALCLOUD_ROOT/containers/not-there" into-nothing
find "$LOCALCLOUD_ROOT" second -type f ! -name lock | sort | xargs cksum >before
find "$LOCALCLOUD_ROOT" second | sort >>before
for name in "$LOCALCLOUD_ROOT/cloud.json" "$LOCALCLOUD_ROOT/x" "$image" "$LOCALCLOUD_ROOT/new/x.jsonl" into-marker \
  into-folder/x into-nothing below/../cloud/x second/x second/accounts/y/z; do
  for command in "export $name --no-assets" "record get p --zone Album --asset-files image=$name" "$schema $name"; do
    expect 19 localcloud $command
    contains "$err" "it lies in the cloud $PWD/"
  done
done
for command in "export --assets $LOCALCLOUD_ROOT/bytes" "export out.jsonl --assets second" \
  "record get p --zone Album --asset-files $LOCALCLOUD_ROOT" "record get p --zone Album --asset-files second/accounts/"; do
  expect 19 localcloud $command
  contains "$err" "it lies in the cloud $PWD/"
done
find "$LOCALCLOUD_ROOT" second -type f ! -name lock | sort | xargs cksum >after
find "$LOCALCLOUD_ROOT" second | sort >>after
cmp -s before after || fail "something in a cloud has changed: $(diff before after)"

# A file of the marker's name alone makes no cloud.
mkdir project
echo '{}' >project/cloud.json
expect 0 localcloud export project/out.jsonl --no-assets
check_cloud

# Nobody else may read what stands open in them, whatever was there before.
echo old >public
chmod 644 public
(
  umask 0
  expect 0 localcloud export public
  expect 0 localcloud record get p --zone Album --asset-files image=picture
  expect 0 localcloud $schema schema.ckdb
) || exit 1
for file in public public.assets/* picture schema.ckdb; do
  equals "$(stat -c %a "$file" 2>/dev/null || stat -f %Lp "$file")" 600 "the mode of $file"
done

# An asset beside an export that is not what its name says is written anew.
file=$(ls public.assets)
head -c 300000 /dev/zero >"public.assets/$file"
expect 0 localcloud export public
cmp -s "public.assets/$file" one || fail "the exported asset is another one"

# One that is what its name says is for its owner alone, too, whoever could read it before.
chmod 644 "public.assets/$file"
expect 0 localcloud export public
equals "$(stat -c %a "public.assets/$file" 2>/dev/null || stat -f %Lp "public.assets/$file")" 600 "the asset's mode"
cmp -s "public.assets/$file" one || fail "the exported asset is another one"

# A signal leaves nothing of a file that is not done.
awk 'BEGIN { text = sprintf("%1500s", ""); gsub(/ /, "x", text)
  for (i = 0; i < 4000; i++)
    printf "{\"recordName\":\"n%d\",\"recordType\":\"Note\",\"zoneID\":{\"zoneName\":\"Notes\"},\"fields\":{\"t\":\"%s\"}}\n", i, text }' >notes.jsonl
expect 0 localcloud import notes.jsonl
rm notes.jsonl
mkdir target
# A shell has what it starts in the background ignore interrupts.
heeding=
env --default-signal=INT,HUP,TERM true 2>/dev/null && heeding="env --default-signal=INT,HUP,TERM"
# Whether there is a file that is not done.
unfinished() {
  for path in target/.[!.]*; do [ -e "$path" ] && return 0; done
  return 1
}
# cut SIGNAL: whether the signal came while the file was being written. It looks without starting anything, or the export
# would be done before.
cut() {
  rm -rf target
  mkdir target
  $heeding localcloud export target/out.jsonl >/dev/null 2>&1 &
  process=$!
  looks=0
  until unfinished || [ -e target/out.jsonl ]; do
    looks=$((looks + 1))
    [ $looks -lt 5000000 ] || fail "nothing is written"
  done
  seen=no
  unfinished && seen=yes
  kill -s $1 $process 2>/dev/null
  wait $process
  status=$?
  unfinished && fail "a file is left after $1: $(ls -A target)"
  [ $seen = yes ] && [ $status -gt 128 ] && [ ! -e target/out.jsonl ]
}
# A loaded machine may let the export finish first, so each signal has many chances.
for signal in TERM INT HUP; do
  [ $signal = TERM ] || [ -n "$heeding" ] || { note "no env that lets $signal through"; continue; }
  tries=0
  until cut $signal; do
    tries=$((tries + 1))
    [ $tries -lt 200 ] || fail "no export was cut short by $signal in $tries runs"
  done
done
