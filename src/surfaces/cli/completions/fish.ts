// Completion for fish: one `complete` line for each thing.
import { SESSION_IDS, type CompletedCommand, type CompletedFlag, type Values } from "./table.ts";

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
  const values: Values | undefined = words === "none" ? undefined : { are: words };
  return [
    ...(verbs.length > 0 ? [`complete -c sous -n ${quoted(second)} -a ${quoted(verbs.join(" "))}`] : []),
    ...(values ? [`complete -c sous -n ${quoted(within)} ${argument(values)}`] : []),
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
      return `-a ${quoted(`last (${SESSION_IDS})`)}`;
    case "text":
      return "";
  }
}

const said = (help: string): string => (help ? ` -d ${quoted(help)}` : "");
const quoted = (text: string): string => `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
