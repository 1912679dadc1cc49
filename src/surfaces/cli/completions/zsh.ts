// Completion for zsh: descriptions are shown beside the words.
import { WORDS_OF, type CompletedCommand, type CompletedWord, type Values, perVerb } from "./table.ts";

export function zshCompletions(table: readonly CompletedCommand[]): string {
  return `#compdef sous
# completion of sous for zsh
_sous_look() {
  local -a found; local word about
  while IFS=$'\\t' read -r word about; do found+=("\${word//:/\\\\:}:$about"); done < <(${WORDS_OF} $1 "$words[CURRENT]" 2>/dev/null)
  _describe -V $1 found
}
_sous() {
  local command=$words[2] prev=$words[CURRENT-1]
  local -a list
  if (( CURRENT == 2 )); then
    list=(${table.map(({ name, help }) => described(name, help)).join(" ")})
    _describe command list
    return
  fi
  case "$command $prev" in
${table.flatMap(valueBranches).join("\n")}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    case $command in
${table
  .filter(({ flags }) => flags.length > 0)
  .map(flagBranch)
  .join("\n")}
    esac
    _describe flag list
    return
  fi
  case $command in
${table.flatMap(wordBranch).join("\n")}
  esac
}
if [[ $funcstack[1] == _sous ]]; then _sous "$@"; else compdef _sous sous; fi`;
}

const valueBranches = (command: CompletedCommand): string[] =>
  command.flags.flatMap(({ names, values }) => {
    if (!values) return [];
    return [`    ${names.map((name) => `"${command.name} ${name}"`).join("|")}) ${complete(values)}; return ;;`];
  });

function complete(values: Values): string {
  switch (values.are) {
    case "words":
      return `compadd ${values.words.join(" ")}`;
    case "folders":
      return "_files -/";
    case "files":
      return "_files";
    case "sessions":
    case "agents":
    case "models":
    case "items":
      return `_sous_look ${values.are}`;
    case "text":
      return ":";
  }
}

const flagBranch = ({ name, flags }: CompletedCommand): string =>
  `      ${name}) list=(${flags.flatMap(({ names, help }) => names.map((one) => described(one, help))).join(" ")}) ;;`;

function wordBranch({ name, verbs, words }: CompletedCommand): string[] {
  const first = verbs.length > 0 ? `if (( CURRENT == 3 )); then compadd ${verbs.join(" ")}; return; fi; ` : "";
  const rest = perVerb(words).map(([verb, own]) => (verb === undefined ? byPlace(own) : `${verb}) ${byPlace(own)} ;;`));
  const tail =
    rest.length > 0 && words[0]?.verb !== undefined ? `case $words[3] in ${rest.join(" ")} esac` : rest.join("");
  return first + tail === "" ? [] : [`    ${name}) ${first}${tail || ":"} ;;`];
}

/** Zsh counts the program as the first word. */
const byPlace = (words: readonly CompletedWord[]): string =>
  words.length === 1 && words[0]
    ? complete(words[0].values)
    : `case $CURRENT in ${words.map(({ at, isLast, values }) => `${isLast ? "*" : at + 1}) ${complete(values)} ;;`).join(" ")} esac`;

/** In single quotes; a colon divides the word from what is said about it. */
function described(word: string, help: string): string {
  const say = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll(":", "\\:").replaceAll("'", "'\\''");
  return `'${say(word)}${help ? `:${say(help)}` : ""}'`;
}
