// Completion for bash: one function of plain `case` branches, no library needed.
import {
  WORDS_OF,
  type CompletedCommand,
  type CompletedFlag,
  type CompletedWord,
  type Values,
  perVerb,
} from "./table.ts";

export function bashCompletions(table: readonly CompletedCommand[]): string {
  return `# completion of sous for bash
_sous_take() { local line; COMPREPLY=(); while IFS= read -r line; do COMPREPLY+=("$line"); done; }
_sous_words() { _sous_take < <(compgen -W "$1" -- "$cur"); }
_sous_look() {
  local word about
  while IFS=$'\\t' read -r word about; do [[ $word == "$cur"* ]] && COMPREPLY+=("$word"); done < <(${WORDS_OF} "$1" "$cur" 2>/dev/null)
  :
}
_sous() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then _sous_words "${table.map(({ name }) => name).join(" ")}"; return; fi
  case "$command $prev" in
${table.flatMap(valueBranches).join("\n")}
  esac
  case "$cur" in
    -*)
      case "$command" in
${table
  .filter(({ flags }) => flags.length > 0)
  .map(flagBranch)
  .join("\n")}
      esac
      return ;;
  esac
  case "$command" in
${table.flatMap(wordBranch).join("\n")}
  esac
}
complete -o bashdefault -F _sous sous`;
}

const valueBranches = (command: CompletedCommand): string[] =>
  command.flags.flatMap(({ names, values }) => {
    if (!values) return [];
    return [`    ${names.map((name) => `"${command.name} ${name}"`).join("|")}) ${complete(values)}; return ;;`];
  });

function complete(values: Values): string {
  switch (values.are) {
    case "words":
      return `_sous_words "${values.words.join(" ")}"`;
    case "folders":
      return `_sous_take < <(compgen -d -- "$cur"); compopt -o filenames 2>/dev/null || :`;
    case "files":
      return `_sous_take < <(compgen -f -- "$cur"); compopt -o filenames 2>/dev/null || :`;
    case "sessions":
    case "agents":
    case "models":
    case "items":
      return `_sous_look ${values.are}`;
    case "text":
      return ":";
  }
}

const namesOf = (flags: readonly CompletedFlag[]): string => flags.flatMap(({ names }) => names).join(" ");
const flagBranch = ({ name, flags }: CompletedCommand): string => `        ${name}) _sous_words "${namesOf(flags)}" ;;`;

function wordBranch({ name, verbs, words }: CompletedCommand): string[] {
  const first = verbs.length > 0 ? `if ((COMP_CWORD == 2)); then _sous_words "${verbs.join(" ")}"; return; fi; ` : "";
  const rest = perVerb(words).map(([verb, own]) => (verb === undefined ? byPlace(own) : `${verb}) ${byPlace(own)} ;;`));
  const tail =
    rest.length > 0 && words[0]?.verb !== undefined
      ? `case "\${COMP_WORDS[2]}" in ${rest.join(" ")} esac`
      : rest.join("");
  return first + tail === "" ? [] : [`    ${name}) ${first}${tail || ":"} ;;`];
}

const byPlace = (words: readonly CompletedWord[]): string =>
  words.length === 1 && words[0]
    ? complete(words[0].values)
    : `case "$COMP_CWORD" in ${words.map(({ at, isLast, values }) => `${isLast ? "*" : at}) ${complete(values)} ;;`).join(" ")} esac`;
