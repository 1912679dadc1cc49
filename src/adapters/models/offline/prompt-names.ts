// Names in a prompt: paths, git refs, and names of code whose uses are asked for.

/** The first word that looks like a path: with a slash, or with an ending. */
export function pathIn(said: string): string | undefined {
  for (const raw of said.split(" ").slice(0, 200)) {
    const word = raw.replace(/^[^\w.@/~]+|[^\w/]+$/g, "").replace(/^@/, "");
    if (word.length >= 2 && word.length <= 300 && !word.includes("://") && isPath(word)) return word;
  }
  return undefined;
}

const isPath = (word: string): boolean => KNOWN_FILE.test(word) || hasSlash(word) || FILE_WITH_ENDING.test(word);

const hasSlash = (word: string): boolean =>
  /^[\w.@~-]*(?:\/[\w.@+[\]-]+)+\/?$|^[\w.-]+\/$/.test(word) && /[a-z]/i.test(word) && !WORDS_WITH_SLASH.test(word);
const WORDS_WITH_SLASH = /^(?:and\/or|he\/she|i\/o|read\/write|yes\/no|input\/output|client\/server)$/i;

const KNOWN_FILE = new RegExp(
  `^(?:${"readme makefile dockerfile license changelog contributing gemfile rakefile procfile jenkinsfile justfile".replaceAll(" ", "|")})$`,
  "i",
);

const ENDINGS =
  `[cm]?[jt]sx? py pyi go rs java kt scala cs swift c h cc cpp hpp rb sh php md json ya?ml toml lock txt html?
  css scss sql xml ini cfg conf vue svelte proto gradle`.split(/\s+/);
const FILE_WITH_ENDING = new RegExp(String.raw`^[\w-]+(?:\.[\w-]+)*\.(?:${ENDINGS.join("|")})$`, "i");

/** What changes are to be compared with. A plain name only: it becomes a part of a command. */
export function refIn(said: string): string | undefined {
  const ref = REF.exec(said)?.[1];
  if (ref === undefined || ref.includes("..")) return undefined;
  return /^(?:me|my|last|us|bugs?|security|style|now|it)$/i.test(ref) ? undefined : ref;
}

const REF = new RegExp(
  String.raw`\b(?:diff|changes?|work)\b.{0,40}?\b(?:against|since|from|with|to) (?:the )?(?:branch |commit |tag )?` +
    String.raw`([A-Za-z0-9][\w./-]{0,100})(?= |$|[?!])`,
);

/** The name whose uses are asked for; the last part of a dotted one. */
export function usedName(said: string): string | undefined {
  const found = USES.map((pattern) => pattern.exec(said)?.[1]).find((name) => name !== undefined);
  const name = found?.split(".").findLast((part) => part !== "");
  return name !== undefined && !/^(?:this|the|it|that|them|these)$/i.test(name) ? name : undefined;
}

const KIND = "(?:the )?(?:function |method |class |type )?";
const NAME = "[`\"']?([A-Za-z_$][\\w$.]{1,100})(?:\\(\\))?[`\"']?";
const USES = [
  String.raw`\b(?:who|what|which \w{1,30}|where do (?:we|i)) (?:uses?|calls?|imports?|references?) ${KIND}${NAME}\??$`,
  String.raw`\b(?:usages?|uses|callers?|references) (?:of|to) ${KIND}${NAME}\??$`,
  String.raw`\b(?:where|how|who) is ${KIND}${NAME} (?:being )?(?:used|called|imported|referenced)(?: by| from)?\??$`,
].map((source) => new RegExp(source, "i"));
