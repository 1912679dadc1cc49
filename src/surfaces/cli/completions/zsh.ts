// Completion for zsh: descriptions are shown beside the words.
import { SESSION_IDS, type CompletedCommand, type Values } from "./table.ts";

export function zshCompletions(table: readonly CompletedCommand[]): string {
  return `#compdef sous
# completion of sous for zsh
_sous_sessions() { local -a ids; ids=(last \${(f)"$(${SESSION_IDS})"}); compadd -V sessions -a ids }
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
      return "_sous_sessions";
    case "text":
      return ":";
  }
}

const flagBranch = ({ name, flags }: CompletedCommand): string =>
  `      ${name}) list=(${flags.flatMap(({ names, help }) => names.map((one) => described(one, help))).join(" ")}) ;;`;

function wordBranch({ name, verbs, words }: CompletedCommand): string[] {
  const first = verbs.length > 0 ? `if (( CURRENT == 3 )); then compadd ${verbs.join(" ")}; return; fi; ` : "";
  const rest = words === "none" ? "" : complete({ are: words });
  return first + rest === "" ? [] : [`    ${name}) ${first}${rest || ":"} ;;`];
}

/** In single quotes; a colon divides the word from what is said about it. */
function described(word: string, help: string): string {
  const say = (text: string): string => text.replaceAll("\\", "\\\\").replaceAll(":", "\\:").replaceAll("'", "'\\''");
  return `'${say(word)}${help ? `:${say(help)}` : ""}'`;
}
