# Completion in real shells, with names that need quotes and names that are commands; the manual page in a real formatter.
. "$LIB"
unset XDG_CONFIG_HOME
new_cloud alice
export LOCALCLOUD_ACCOUNT=alice
expect 0 localcloud zone save "My Notes" Other
tab=$(printf 'a\tb')
newline=$(printf 'two\nlines')
for name in milk '$(touch x)' '`touch x`' "$tab" "$newline" -dash "it's" 'a"b' 'back\slash' '~tilde' '#hash' 'semi;touch x'; do
  expect 0 localcloud record save Note --zone "My Notes" --name="$name"
done

expect 0 localcloud completion install
equals "$(printf '%s\n' "$out" | wc -l | tr -d ' ')" 4
bash_file=$(printf '%s\n' "$out" | sed -n 1p)
zsh_file=$(printf '%s\n' "$out" | sed -n 2p)
fish_file=$(printf '%s\n' "$out" | sed -n 3p)
page=$(printf '%s\n' "$out" | sed -n 4p)
equals "$page" "$HOME/.local/share/man/man1/localcloud.1"
[ -r "$page" ] || fail "the page can't be read"

# A foreign file stays, as do the others then.
echo mine >"$fish_file"
expect 1 localcloud completion install
equals "$(cat "$fish_file")" mine
expect 0 localcloud completion install --force
contains "$(cat "$fish_file")" "complete -c localcloud"

# Two at once, and a closed standard output: each file is whole.
whole() {
  equals "$(cat "$1/share/bash-completion/completions/localcloud")" "$(localcloud completion bash)" "bash in $1"
  equals "$(cat "$1/share/zsh/site-functions/_localcloud")" "$(localcloud completion zsh)" "zsh in $1"
  equals "$(cat "$1/share/fish/vendor_completions.d/localcloud.fish")" "$(localcloud completion fish)" "fish in $1"
  equals "$(cat "$1/share/man/man1/localcloud.1")" "$(localcloud manual)" "the page in $1"
  equals "$(find "$1" -type f | wc -l | tr -d ' ')" 4 "files in $1"
}
localcloud completion install --prefix both >first.txt 2>&1 &
first=$!
expect 0 localcloud completion install --prefix both
wait $first || fail "the first of two: $(cat first.txt)"
whole both
expect 19 sh -c 'localcloud completion install --prefix closed >&-'
contains "$err" "cannot write standard output"
whole closed

# A signal in the middle. The pipe in place of the first file says when it is written, and the pipe in place of the third
# file ends only with the process: so the second file is there as a whole or not at all.
for pair in TERM:143 KILL:137; do
  for folder in bash-completion/completions zsh/site-functions fish/vendor_completions.d; do
    mkdir -p "cut/share/$folder"
  done
  mkfifo cut/share/bash-completion/completions/localcloud cut/share/fish/vendor_completions.d/localcloud.fish
  localcloud completion install --prefix cut --force >cut.txt 2>&1 &
  installer=$!
  exec 3<cut/share/bash-completion/completions/localcloud
  kill -s "${pair%:*}" $installer
  wait $installer
  equals $? "${pair#*:}" "an installation that ${pair%:*} ended: $(cat cut.txt)"
  exec 3<&-
  [ ! -e cut/share/man ] || fail "it went on after ${pair%:*}"
  [ ! -e cut/share/zsh/site-functions/_localcloud ] ||
    equals "$(cat cut/share/zsh/site-functions/_localcloud)" "$(localcloud completion zsh)" "zsh after ${pair%:*}"
  rm cut/share/bash-completion/completions/localcloud cut/share/fish/vendor_completions.d/localcloud.fish
  [ "${pair%:*}" = TERM ] || find cut -name '.*' -type f -exec rm {} +
  expect 0 localcloud completion install --prefix cut
  whole cut
  rm -r cut
done

# Wrong words, and a reader that leaves.
expect 64 localcloud completion ksh
expect 64 localcloud completion install ksh
expect 64 localcloud manual no-such
for command in "completion bash" "completion words" manual; do
  (localcloud $command 2>said || fail "$command: $?") | true
  [ ! -s said ] || fail "$command into a closed pipe says $(cat said)"
done

mkdir work && cd work || exit 1
mkdir "a folder" Other
touch "a file"

# completes SHELL LINE WANTED: what the line becomes when the tab key is pressed at its end.
completes() {
  got=$(press "$2")
  equals "$got" "$3" "$1, \"$2\""
}
# The lines, by the quoting of shells.
lines() {
  shell=$1
  completes $shell "localcloud rec" "localcloud record "
  completes $shell "localcloud zone delete My" "localcloud zone delete My\\ Notes "
  completes $shell "localcloud zone delete My\\ N" "localcloud zone delete My\\ Notes "
  completes $shell "localcloud zone delete 'My" "localcloud zone delete 'My Notes' "
  completes $shell "localcloud zone delete \"My" "localcloud zone delete \"My Notes\" "
  completes $shell "localcloud zone delete Oth" "localcloud zone delete Other "
  completes $shell "localcloud record get --zone My\\ Notes mi" "localcloud record get --zone My\\ Notes milk "
  completes $shell "localcloud record get --zone=My" "localcloud record get --zone=My\\ Notes "
  completes $shell "localcloud record get --zone 'My Notes' it" "localcloud record get --zone 'My Notes' it\\'s "
  completes $shell "localcloud record get --zone 'My Notes' back" "localcloud record get --zone 'My Notes' back\\\\slash "
  completes $shell "localcloud record get --zone 'My Notes' 'semi" \
    "localcloud record get --zone 'My Notes' 'semi;touch x' "
  completes $shell "localcloud record get --zone 'My Notes' -- -d" "localcloud record get --zone 'My Notes' -- -dash "
  completes $shell "localcloud import a\\ fi" "localcloud import a\\ file "
  completes $shell "localcloud --root a\\ fo" "localcloud --root a\\ folder/"
  completes $shell "localcloud zone delete none" "localcloud zone delete none"
  completes $shell 'localcloud record get $(touch x) --zone My' 'localcloud record get $(touch x) --zone My\ Notes '
  [ ! -e x ] || fail "$shell ran a name"
}

if command -v bash >/dev/null 2>&1 && bash -c '[ "${BASH_VERSINFO[0]}${BASH_VERSINFO[1]}" -ge 44 ]'; then
  cat >../bashrc <<END_OF_RC
PS1=
unset HISTFILE
. "$bash_file"
show() { printf '<<%s>>\n' "\$READLINE_LINE" >../line; READLINE_LINE=; }
bind -x '"\C-x": show'
END_OF_RC
  # The last bytes are the tab and the key that shows the line.
  press() {
    rm -f ../line
    printf '%s\t\030\n' "$1" | TERM=dumb bash --noprofile --rcfile ../bashrc -i >../printed 2>&1
    sed 's/^<<//; s/>>$//' ../line
  }
  lines bash
  completes bash "localcloud record get --zone 'My Notes' \\\$" \
    "localcloud record get --zone 'My Notes' \\\$\\(touch\\ x\\) "
  completes bash "localcloud export >a\\ fi" "localcloud export >a\\ file "
  [ ! -e x ] || fail "bash ran a name"
else
  note "no bash from 4.4 on: its completion is not tried"
fi

if command -v zsh >/dev/null 2>&1 && zsh -fc 'zmodload zsh/zpty' 2>/dev/null; then
  cat >../zshrc <<END_OF_RC
unsetopt prompt_cr prompt_sp
PS1=
fpath=("${zsh_file%/*}" \$fpath)
autoload -Uz compinit
compinit -u -d $PWD/../zdump
show() { print -r -- "<<\$BUFFER>>"; BUFFER=; zle accept-line }
zle -N show
bindkey '^X' show
stty -echo
print READY
END_OF_RC
  cat >../press.zsh <<'END_OF_DRIVER'
zmodload zsh/zpty
zpty shell 'TERM=dumb zsh -f -i'
zpty -w shell ". $1"
zpty -r -m shell printed '*READY*'
zpty -w -n shell "$2"$'\t\x18'
zpty -r -m shell printed '*<<*>>*'
print -r -- "${${printed##*<<}%%>>*}"
zpty -d shell
END_OF_DRIVER
  press() { zsh -f ../press.zsh "$PWD/../zshrc" "$1"; }
  lines zsh
  completes zsh "localcloud record get --zone 'My Notes' \\\$" \
    "localcloud record get --zone 'My Notes' \\\$\\(touch\\ x\\) "
  [ ! -e x ] || fail "zsh ran a name"
else
  note "no zsh with zsh/zpty: its completion is not tried"
fi

# fish lists the candidates without quotes.
if command -v fish >/dev/null 2>&1; then
  press() { LINE=$1 fish --no-config -c "source '$fish_file'; complete -C \"\$LINE\""; }
  listed() { equals "$(press "$1" | sed "s/$(printf '\t').*//")" "$2" "fish, \"$1\""; }
  listed "localcloud rec" record
  listed "localcloud zone delete M" "My Notes"
  listed "localcloud zone delete My\\ N" "My Notes"
  listed "localcloud zone delete 'My N" "My Notes"
  listed "localcloud zone delete \"My N" "My Notes"
  listed "localcloud record get --zone=My" "--zone=My Notes"
  listed "localcloud record get --zone My\\ Notes mi" milk
  listed "localcloud record get --zone 'My Notes' \\\$" '$(touch x)'
  listed "localcloud record get --zone 'My Notes' -- -d" -dash
  listed "localcloud import a" "a file
a folder/"
  listed "localcloud --root=a" "--root=a folder/"
  [ ! -e x ] || fail "fish ran a name"
else
  note "no fish: its completion is not tried"
fi
cd ..

# The formatter has no warnings, and shows a line of the help as it is.
if command -v groff >/dev/null 2>&1; then
  groff -man -Kutf8 -Tutf8 -ww -W break -P-cbou "$page" >shown 2>said || fail "groff ends with $?: $(cat said)"
  [ ! -s said ] || fail "groff warns: $(head -n 5 said)"
  contains "$(cat shown)" "name:null="
  contains "$(cat shown)" "--dry-run"
else
  note "no groff: the manual page is not formatted"
fi
check_cloud
