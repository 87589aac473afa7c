// The scripts by which shells complete our command lines. Each asks the program itself for what may come next, and shows
// nothing that goes wrong.

export const shells = ['bash', 'zsh', 'fish'] as const
export type ShellName = (typeof shells)[number]

/** A line that stands for the names of files. */
export const filesMark = ':files'

export const scripts: Readonly<Record<ShellName, string>> = {
  bash: String.raw`# mariposa: completion for bash. In ~/.bashrc: source <(mariposa completion bash)
_mariposa() {
  local line=${'$'}{COMP_LINE:0:COMP_POINT} words word head reply files=
  read -ra words <<<"$line"
  [[ $line == *[[:space:]] ]] && words+=('')
  word=${'$'}{words[-1]}
  # Bash replaces what stands behind the last of these alone, and an @ with it.
  head=${'$'}{word%"${'$'}{word##*["$COMP_WORDBREAKS"]}"}
  head=${'$'}{head%@}
  COMPREPLY=()
  while IFS=$'\t' read -r reply _; do
    if [[ $reply == ${filesMark} ]]; then files=1; else COMPREPLY+=("${'$'}{reply#"$head"}"); fi
  done < <("$1" completion words -- "${'$'}{words[@]:1}" 2>/dev/null </dev/null)
  [[ $files ]] && compopt -o default
  [[ ${'$'}{#COMPREPLY[@]} == 1 && ${'$'}{COMPREPLY[0]} == *[=@] ]] && compopt -o nospace
  return 0
}
complete -F _mariposa mariposa
`,
  zsh: String.raw`#compdef mariposa
# mariposa: completion for zsh. In ~/.zshrc, after compinit: source <(mariposa completion zsh)
_mariposa() {
  local line about files=
  local -a replies open
  while IFS=$'\t' read -r line about; do
    if [[ $line == ${filesMark} ]]; then files=1
    elif [[ $line == *[=@] ]]; then open+=("$line")
    else replies+=("${'$'}{line//:/\\:}:$about")
    fi
  done < <("${'$'}{words[1]}" completion words -- "${'$'}{(@)words[2,CURRENT]}" 2>/dev/null </dev/null)
  (( ${'$'}#open )) && compadd -S '' -- "${'$'}open[@]"
  (( ${'$'}#replies )) && _describe mariposa replies
  [[ -n $files ]] && _files
  return 0
}
if [[ $funcstack[1] == _mariposa ]]; then _mariposa "$@"; else compdef _mariposa mariposa; fi
`,
  fish: `# mariposa: completion for fish. In config.fish: mariposa completion fish | source
function __mariposa_words
    set -l words (commandline -opc)
    set -l word (commandline -ct)
    set -l replies ($words[1] completion words -- $words[2..-1] "$word" 2>/dev/null </dev/null)
    for reply in $replies
        if test "$reply" = ${filesMark}
            __fish_complete_path "$word"
        else
            echo $reply
        end
    end
end
complete -c mariposa -f -a '(__mariposa_words)'
`,
}
