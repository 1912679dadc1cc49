// Completion for fish: one `complete` line for each thing.
import { WORDS_OF, type CompletedCommand, type CompletedFlag, type Values } from "./table.ts";

export function fishCompletions(table: readonly CompletedCommand[]): string {
  return [
    "# completion of sous for fish",
    "complete -c sous -f",
    ...table.map(({ name, help }) => `complete -c sous -n '__fish_is_nth_token 1' -a ${quoted(name)}${said(help)}`),
    ...table.flatMap(commandLines),
  ].join("\n");
}

function commandLines({ name, verbs, words, flags }: CompletedCommand): string[] {
  const within = `test (count (commandline -opc)) -gt 1; and test (commandline -opc)[2] = ${name}`;
  const second = `${within}; and test (count (commandline -opc)) -eq 2`;
  const place = ({ verb, at, isLast }: CompletedCommand["words"][number]): string =>
    `${within}${verb === undefined ? "" : `; and test (commandline -opc)[3] = ${verb}`}; and test (count (commandline -opc)) -${isLast ? "ge" : "eq"} ${at}`;
  return [
    ...(verbs.length > 0 ? [`complete -c sous -n ${quoted(second)} -a ${quoted(verbs.join(" "))}`] : []),
    ...words.map((word) => `complete -c sous -n ${quoted(place(word))} ${argument(word.values)}`),
    ...flags.map((flag) => `complete -c sous -n ${quoted(within)} ${flagWords(flag)}`),
  ];
}

function flagWords({ names, help, values }: CompletedFlag): string {
  const forms = names.map((name) => (name.startsWith("--") ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`));
  return `${forms.join(" ")}${values ? ` -r ${argument(values)}` : ""}${said(help)}`;
}

function argument(values: Values): string {
  switch (values.are) {
    case "words":
      return `-a ${quoted(values.words.join(" "))}`;
    case "folders":
      return "-a '(__fish_complete_directories)'";
    case "files":
      return "-F";
    case "sessions":
    case "agents":
    case "models":
    case "items":
      return `-k -a ${quoted(`(${WORDS_OF} ${values.are} (commandline -ct) 2>/dev/null)`)}`;
    case "text":
      return "";
  }
}

const said = (help: string): string => (help ? ` -d ${quoted(help)}` : "");
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
