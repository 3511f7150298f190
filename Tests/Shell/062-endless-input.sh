# Inputs without an end, or that are no files: a clear error, at once and with little memory; and streams that are read.
. "$LIB"
needs jq mkfifo timeout
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save Z
printf 'DEFINE SCHEMA RECORD TYPE Person (name STRING QUERYABLE);\n' >schema.ckdb
printf '{"recordName":"a","recordType":"T","zoneID":{"zoneName":"Z"},"fields":{"n":1}}\n' >lines.jsonl

# Whatever reads more than it may needs more than this, or more time.
little() {
  (
    ulimit -v 1500000
    exec timeout 120 "$@"
  )
}
cktool="--container-id $LOCALCLOUD_CONTAINER --environment development"

# Devices without an end.
for command in "schema import" "schema validate" "cktool import-schema $cktool --file" \
  "cktool validate-schema $cktool --file" "record save T --zone Z --fields-file" \
  "cktool create-record $cktool --database-type private --record-type T --fields-file"; do
  expect 1 little localcloud $command /dev/zero
  contains "$err" "cannot read /dev/zero: it has more than 16 MiB"
  expect 1 little localcloud $command - </dev/zero
  contains "$err" "cannot read standard input: it has more than 16 MiB"
  [ -c /dev/full ] || continue
  expect 1 little localcloud $command /dev/full
  contains "$err" "cannot read /dev/full: it has more than 16 MiB"
done
expect 1 little localcloud import /dev/zero
contains "$err" "cannot read /dev/zero: it has more than 256 MiB without a line break"
expect 1 little localcloud import </dev/zero
contains "$err" "cannot read standard input: it has more than 256 MiB without a line break"
expect 125 little localcloud exec --people anna --account anna --schema /dev/zero -- true
contains "$err" "cannot read /dev/zero: it has more than 16 MiB"
expect 125 little localcloud exec --people anna --account anna --seed-from /dev/zero -- true
contains "$err" "cannot read /dev/zero: it has more than 256 MiB without a line break"
if [ -c /dev/full ]; then
  expect 1 little localcloud import /dev/full --json
  equals "$(echo "$err" | jq -r '.error | "\(.code) \(.path)"')" "badInput /dev/full"
fi
expect 0 localcloud import /dev/null

# Files that claim to be larger than they are.
if command -v truncate >/dev/null 2>&1 && truncate -s 100G huge 2>/dev/null; then
  expect 1 little localcloud schema import huge
  contains "$err" "cannot read huge: it has more than 16 MiB"
  expect 1 little localcloud import huge
fi

# Where a file is needed, a pipe is refused, and not waited for.
mkfifo pipe
expect 13 little localcloud record save T --zone Z photo:asset=pipe
contains "$err" "pipe"
printf '{"recordName":"b","recordType":"T","zoneID":{"zoneName":"Z"},"fields":{"p":{"value":{"x-local":{"path":"pipe"}}}}}\n' >asset.jsonl
expect 1 little localcloud import asset.jsonl
contains "$err" "nothing was imported"
expect 19 little localcloud schema import .
contains "$err" "cannot read .: Is a directory"

# Where a stream will do it is read: a named pipe, whoever opens it first, standard input, and other names of it.
for file in schema.ckdb lines.jsonl; do
  case $file in schema.ckdb) command="schema import" ;; *) command=import ;; esac
  cat $file >pipe &
  expect 0 little localcloud $command pipe
  wait
  expect 0 little localcloud $command - <$file
  [ -e /dev/stdin ] || continue
  expect 0 little localcloud $command /dev/stdin <$file
  cat $file | little localcloud $command /dev/stdin >said 2>&1 || fail "$command /dev/stdin: $(cat said)"
  little localcloud $command /dev/fd/3 3<$file >said 2>&1 || fail "$command /dev/fd/3: $(cat said)"
done

echo '{"n": 2}' >fields.json
cat fields.json >pipe &
expect 0 little localcloud record update a --zone Z --fields-file pipe
wait
expect 0 localcloud record get a --zone Z
contains "$out" "n:int64  2"

# What can't be copied to the folder for temporary files is no fault of the input.
cat lines.jsonl | TMPDIR=$PWD/nowhere little localcloud import >out 2>said
status=$?
equals $status 19
contains "$(cat said)" "cannot copy standard input to $PWD/nowhere/"
contains "$(cat said)" TMPDIR

# Output that nobody can take.
if [ -c /dev/full ]; then
  localcloud export --no-assets >/dev/full 2>said
  status=$?
  equals $status 19
  contains "$(cat said)" "cannot write standard output: No space left on device"
fi
check_cloud
