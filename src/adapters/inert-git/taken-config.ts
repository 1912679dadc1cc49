// Of a repository's configuration, what only says how files are compared and shown. It is a list of what is taken:
// a key that names a program, a file or another repository, whatever git makes of it one day, is not in it.

const TAKEN = new RegExp(
  `^(?:${[
    "core\\.(?:filemode|symlinks|ignorecase|precomposeunicode|autocrlf|eol|abbrev|quotepath|checkstat|trustctime)",
    "core\\.(?:sparsecheckout|sparsecheckoutcone)|index\\.sparse",
    "diff\\.(?:algorithm|renames|renamelimit|context|interhunkcontext|mnemonicprefix|noprefix|indentheuristic)",
    "status\\.(?:short|branch|showstash|showuntrackedfiles|relativepaths|renames|aheadbehind)",
    "log\\.(?:date|decorate|follow|abbrevcommit|mailmap)",
    "branch\\..+\\.(?:remote|merge)",
    "remote\\..+\\.(?:url|pushurl|fetch)",
  ].join("|")})$`,
  "s",
);
const EXTENSIONS: Readonly<Record<string, RegExp>> = {
  "extensions.objectformat": /^sha(?:1|256)$/,
  "extensions.refstorage": /^(?:files|reftable)$/,
};

/** It stands last, so that it counts. */
const OURS = `
[core]
	bare = false
	hooksPath = /dev/null
	fsmonitor = false
	pager = cat
[diff]
	autoRefreshIndex = false
	ignoreSubmodules = all
	external =
[status]
	submoduleSummary = false
[submodule]
	recurse = false
[log]
	showSignature = false
[gpg]
	program = /dev/null
[gpg "ssh"]
	program = /dev/null
[gpg "x509"]
	program = /dev/null
[gc]
	auto = 0
[maintenance]
	auto = false
[protocol]
	allow = never
`;

/** From `git config --list -z`, the text of a configuration of our own. */
export function takenConfig(listed: string): string {
  const entries = listed.split("\0").filter(Boolean).map(entryOf);
  const extensions = entries.filter(({ key, value }) => EXTENSIONS[key]?.test(value ?? ""));
  const taken = entries.filter(({ key }) => TAKEN.test(key));
  const version = `[core]\n\trepositoryFormatVersion = ${extensions.length > 0 ? 1 : 0}\n`;
  return `${version}${[...extensions, ...taken].map(printed).join("")}${OURS}`;
}

type Entry = { readonly key: string; readonly value?: string };

function entryOf(entry: string): Entry {
  const at = entry.indexOf("\n");
  return at < 0 ? { key: entry } : { key: entry.slice(0, at), value: entry.slice(at + 1) };
}

function printed({ key, value }: Entry): string {
  const [first, last] = [key.indexOf("."), key.lastIndexOf(".")];
  const name = first === last ? "" : ` ${quoted(key.slice(first + 1, last))}`;
  // What could end a line is not taken.
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000b-\u001f\n]/.test(`${key}${value ?? ""}`)) return "";
  return `[${key.slice(0, first)}${name}]\n\t${key.slice(last + 1)}${value === undefined ? "" : ` = ${quoted(value)}`}\n`;
}

const quoted = (text: string): string => `"${text.replace(/["\\]/g, "\\$&").replaceAll("\t", "\\t")}"`;
