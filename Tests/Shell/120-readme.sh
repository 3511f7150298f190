# README's walk-through: every command is run, and must print what README says.
. "$LIB"
readme=$(dirname "$LIB")/../../README.md
export LOCALCLOUD_CLOCK=2026-01-01T12:00:00Z LOCALCLOUD_SEED=readme COLUMNS=110

sed -n '/^```console$/,/^```$/p' "$readme" | sed '1d;$d' >walk.txt
[ -s walk.txt ] || fail "README has no walk-through"
: >actual.txt
while IFS= read -r line; do
  case $line in
  '$ '*) person= command=${line#'$ '} ;;
  'alice$ '*) person=alice command=${line#'alice$ '} ;;
  'bob$ '*) person=bob command=${line#'bob$ '} ;;
  *) continue ;;
  esac
  printf '%s\n' "$line" >>actual.txt
  case $command in
  export\ *) eval "$command" ;;
  *)
    if [ -n "$person" ]; then
      (LOCALCLOUD_ACCOUNT=$person && export LOCALCLOUD_ACCOUNT && eval "$command") </dev/null >output.txt 2>&1 || true
    else
      (eval "$command") </dev/null >output.txt 2>&1 || true
    fi
    sed "s|$PWD|/home/you|g" output.txt >>actual.txt
    ;;
  esac
done <walk.txt
diff -u walk.txt actual.txt || fail "README shows something else"
