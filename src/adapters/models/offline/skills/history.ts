// "Who changed X", "when was Y added", "what changed last week": told from git, by commands that only read.
import type { Conversation, Result } from "../conversation.ts";
import type { HistoryQuestion } from "../history-question.ts";
import { fileCalls, shell, shellWord } from "../lookups.ts";
import { compare, foundPaths, wasCut } from "../outputs.ts";
import { standing } from "../places.ts";
import { listed, plural } from "../say.ts";
import type { Skill } from "../skill.ts";

type Commit = {
  readonly id: string;
  readonly date: string;
  readonly author: string;
  readonly title: string;
  readonly files: readonly string[];
};

const MOST = 200;
const SHOWN = 10;
const FORMAT = "--date=short --format=%h%x09%ad%x09%an%x09%s";

export const history: Skill<HistoryQuestion> = {
  stages: [
    {
      name: "locate",
      calls: ({ tools }, { of }) => {
        if (of === undefined || of.is === "name") return [];
        const base = of.text.replace(/\/$/, "").replace(/^.*\//, "");
        return of.is === "path" && of.text.includes("/")
          ? []
          : fileCalls(tools, of.is === "path" ? `**/${base}` : `**/*${base}*`);
      },
    },
    { name: "log", calls: (talk, question) => shell(commandFor(talk, question)) },
  ],
  answer: (talk, question) => {
    const [result] = talk.results("log");
    const command = commandFor(talk, question);
    if (!result) return "I have no shell here to ask git for the history.";
    if (result.failed || /^fatal: /m.test(result.text.slice(0, 2_000))) return notTold(result);
    const commits = commitsIn(result.text);
    const parts = told(talk, question, commits, wasCut([result]));
    return [...parts, meant(talk, question), `How: \`${command}\`.`].filter((part) => part !== "").join("\n\n");
  },
};

/** Names and paths were checked to begin like words: none is taken for an option. */
function commandFor(talk: Conversation, { wants, of, since }: HistoryQuestion): string {
  const when = since === undefined ? "" : ` --since=${since}`;
  const most = wants === "first" ? "" : ` -n ${MOST}`;
  if (of?.is === "name") return `git log -S ${shellWord(of.text)}${most}${when} ${FORMAT}`;
  const file = fileOf(talk, of);
  if (file !== undefined)
    return `git log${wants === "first" ? " --follow" : most}${when} ${FORMAT} -- ${shellWord(file)}`;
  if (of?.is === "word") return `git log -i --grep=${shellWord(of.text)}${most}${when} ${FORMAT}`;
  return `git log -n ${since === undefined ? SHOWN : MOST}${when} --name-only ${FORMAT}`;
}

/** The file that a path or a plain word means, if there is one. */
function fileOf(talk: Conversation, of: HistoryQuestion["of"]): string | undefined {
  if (of === undefined || of.is === "name") return undefined;
  const paths = foundPaths(talk.results("locate"), talk.folder).filter((path) => /^[\w$@./+-]+$/.test(path));
  const [best] = paths.toSorted((a, b) => standing(a) - standing(b) || a.length - b.length || compare(a, b));
  return best ?? (of.is === "path" ? of.text : undefined);
}

function told(
  talk: Conversation,
  question: HistoryQuestion,
  commits: readonly Commit[],
  cut: boolean,
): readonly string[] {
  const { wants, of, since } = question;
  const file = fileOf(talk, of);
  const subject = file ?? of?.text;
  const period = since === undefined ? "" : ` since ${since.replaceAll(".", " ")}`;
  const [newest] = commits;
  const oldest = commits.at(-1);
  if (!newest || !oldest)
    return [`Git knows no commit${subject === undefined ? "" : ` about \`${subject}\``}${period} in this folder.`];
  const list = listed("Commits, newest first:", commits.slice(0, SHOWN).map(shown), commits.length - SHOWN);
  if (subject !== undefined && wants === "first" && !cut) {
    const what = of?.is === "name" ? "first appears in" : file === undefined ? "is first spoken of in" : "begins with";
    return [`\`${subject}\` ${what} commit ${oneLine(oldest)}.`, commits.length > 1 ? list : ""].filter(
      (part) => part !== "",
    );
  }
  const about =
    subject === undefined
      ? ""
      : ` ${file === undefined && of?.is === "word" ? "that speak of" : "that changed"} \`${subject}\``;
  return [
    `${plural(commits.length, "commit")}${cut || commits.length === MOST ? " or more" : ""}${about}${period}, by ${authors(commits)}. The last is ${oneLine(newest)}.`,
    list,
    files(commits),
  ].filter((part) => part !== "");
}

function meant(talk: Conversation, { of }: HistoryQuestion): string {
  const file = of?.is === "word" ? fileOf(talk, of) : undefined;
  return file === undefined ? "" : `I took "${of?.text}" to mean this file, by its name.`;
}

const oneLine = ({ id, date, author, title }: Commit): string => `${id} by ${author} on ${date}: "${title}"`;
const shown = ({ id, date, author, title }: Commit): string => `${id} ${date} ${author}: ${title}`;

function authors(commits: readonly Commit[]): string {
  const counts = [...Map.groupBy(commits, (commit) => commit.author)]
    .map(([author, all]) => [author, all.length] as const)
    .sort(([a, x], [b, y]) => y - x || compare(a, b));
  const named = counts.slice(0, 5).map(([author, count]) => `${author} (${count})`);
  return `${named.join(", ")}${counts.length > 5 ? ` and ${counts.length - 5} more` : ""}`;
}

function files(commits: readonly Commit[]): string {
  const counts = [
    ...Map.groupBy(
      commits.flatMap((commit) => commit.files),
      (path) => path,
    ),
  ]
    .map(([path, all]) => [path, all.length] as const)
    .sort(([a, x], [b, y]) => y - x || compare(a, b));
  const lines = counts.slice(0, SHOWN).map(([path, count]) => `${path} (${plural(count, "commit")})`);
  return listed("Files changed most:", lines, counts.length - SHOWN);
}

function commitsIn(text: string): readonly Commit[] {
  const commits: (Commit & { files: string[] })[] = [];
  for (const line of text.split("\n").slice(0, 20_000)) {
    const match = /^([0-9a-f]{4,40})\t([\d-]{10})\t(.{0,200}?)\t(.{0,500})$/.exec(line.slice(0, 800));
    if (match) commits.push({ id: match[1]!, date: match[2]!, author: match[3]!, title: match[4]!, files: [] });
    else if (line !== "" && !line.startsWith("[") && !line.includes("\t"))
      commits.at(-1)?.files.push(line.slice(0, 300));
  }
  return commits;
}

function notTold({ text }: Result): string {
  if (/not a git repository/.test(text))
    return "This folder is not in a git repository: it has no history that I could look at.";
  if (/does not have any commits yet/.test(text)) return "This repository has no commits yet.";
  if (/ was refused:/.test(text)) return "I could not ask git for the history: it was not allowed.";
  return `I could not ask git: ${text.slice(0, 300).split("\n")[0]}`;
}
