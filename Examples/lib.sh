# What the example scripts share. They start in the empty home folder of "localcloud exec".
cd "$HOME"
say() { printf '\n%s\n' "$1"; }
# as NAME COMMAND…: what that person types in their own terminal.
as() { echo "as $*" >&2 && localcloud as "$@"; }
wrong() { echo "WRONG: $*" >&2 && exit 1; }
shown() { printf '%s\n' "$output" && case $output in *"$1"*) ;; *) wrong "no \"$1\" in the output" ;; esac; }
# expect TEXT COMMAND…: its output is shown and has to hold the text.
expect() { wanted=$1 && shift && output=$("$@") || wrong "it failed: $*"; shown "$wanted"; }
# refused TEXT COMMAND…: it has to fail, and to say this.
refused() { wanted=$1 && shift && ! output=$("$@" 2>&1) || wrong "it should have failed: $*"; shown "$wanted"; }
# hears TEXT: shows what a program writes to descriptor 3, a named pipe, up to a line with the text.
hears() { while IFS= read -r output <&3; do echo "$output"; case $output in *"$1"*) return ;; esac; done; wrong "no \"$1\""; }
