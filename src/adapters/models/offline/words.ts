// Words of a question and of code, brought to one form: identifiers are split, endings dropped, near words grouped.
export type Concept = {
  /** As the person wrote it. */
  readonly word: string;
  /** Its own stem first, then those of near words. */
  readonly stems: readonly string[];
  /** A name or phrase that must stand exactly so. */
  readonly exact?: true;
};

const MOST_CONCEPTS = 6;

/** What a question asks about, at most six things. Names and quoted phrases come first. */
export function conceptsOf(question: string): readonly Concept[] {
  const { phrases, rest } = takeQuoted(question);
  const found = new Map<string, Concept>();
  const add = (concept: Concept): void => void (found.has(concept.stems[0]!) || found.set(concept.stems[0]!, concept));
  for (const phrase of phrases) add(exactly(phrase));
  const asked = new Set(askedNames(rest));
  const plain: Concept[] = [];
  const tokens: string[] = [];
  for (const raw of rest.split(/[\s,;!?]+/).slice(0, 400)) {
    const word = raw.replace(/^[^\w$@#]+|[^\w$]+$/g, "").slice(0, 80);
    if (isName(word) || asked.has(word)) {
      add(exactly(word));
      continue;
    }
    for (const token of tokensOf(word)) {
      const before = tokens.at(-1);
      tokens.push(token);
      if (token.length < 2 || stopWords.has(token)) {
        // "times out" is a timeout, "log in" a login.
        if (before !== undefined && PARTICLES.has(token) && plain.at(-1)?.word === before)
          plain.push(compound(before, token), ...plain.splice(-1));
        continue;
      }
      plain.push({ word: token, stems: nearTo(token) });
    }
  }
  for (const concept of plain) add(concept);
  return [...found.values()].slice(0, MOST_CONCEPTS);
}

/** 1 when the concept itself is there, less for a near word, 0 when it is not. */
export function presence(concept: Concept, stems: ReadonlySet<string>, text: string): number {
  if (concept.exact) return text.toLowerCase().includes(concept.word.toLowerCase()) ? 1 : 0;
  const at = concept.stems.findIndex((one) => stems.has(one));
  if (at < 0) return 0;
  return at === 0 ? 1 : NEAR;
}

export const NEAR = 0.65;

/** Small words of a text: `readHTTPHead` is read, http, head. */
export function tokensOf(text: string): string[] {
  return (text.match(/[A-Za-z][a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((token) => token.toLowerCase());
}

export const stemsOf = (text: string): Set<string> => new Set(tokensOf(text).map(stem));

/** Drops common English endings. Only sameness counts: the result need not be a word. */
export function stem(token: string): string {
  const word = irregular[token] ?? token;
  for (const [ending, instead] of endings) {
    const left = word.length - ending.length;
    if (left >= 3 && word.endsWith(ending) && !word.endsWith("ss")) return tidy(word.slice(0, left) + instead);
  }
  return tidy(word);
}

function tidy(word: string): string {
  if (word.length > 3 && word.endsWith("e")) return word.slice(0, -1);
  const doubled = word.length > 3 && word.at(-1) === word.at(-2) && !/[aeiou]/.test(word.at(-1)!);
  return doubled ? word.slice(0, -1) : word;
}

const endings: readonly (readonly [string, string])[] = [
  ["ies", "y"],
  ["ings", ""],
  ["ing", ""],
  ["ers", ""],
  ["er", ""],
  ["ors", ""],
  ["or", ""],
  ["ed", ""],
  ["ches", "ch"],
  ["shes", "sh"],
  ["sses", "ss"],
  ["xes", "x"],
  ["s", ""],
];

const irregular: Readonly<Record<string, string>> = {
  wrote: "write",
  written: "write",
  ran: "run",
  running: "run",
  built: "build",
  sent: "send",
  kept: "keep",
  chose: "choose",
  chosen: "choose",
  using: "use",
  used: "use",
  uses: "use",
  made: "make",
  making: "make",
  began: "begin",
  caught: "catch",
  thrown: "throw",
  threw: "throw",
  taken: "take",
  took: "take",
  sorted: "sort",
};

/** A name as only code has them: `readLine`, `max_size`, `Foo.bar`, `run()`, `MAX`. */
export function isName(word: string): boolean {
  if (!/^[@#$\w][\w$]*(?:(?:\.|::|->|#)[\w$]+)*(?:\(\))?$/.test(word) || word.length < 3) return false;
  return /[a-z][A-Z]|\w_\w|\w(?:\.|::|->|#)\w|\(\)$|^[A-Z][A-Z0-9]{2,}$|^[@#$]/.test(word);
}

const compound = (verb: string, particle: string): Concept => ({
  word: `${verb} ${particle}`,
  stems: [...new Set([verb, verb.replace(/s$/, ""), verb.replace(/d$/, ""), verb.replace(/(?:ed|ing)$/, "")])].map(
    (form) => stem(form + particle),
  ),
});

const PARTICLES = new Set(["out", "in", "up", "off", "down", "back", "over"]);

/** A plain word that stands where only a name can: "what does freeze do", "the default of depth". */
function askedNames(question: string): readonly string[] {
  const said = question
    .replace(/\s+/g, " ")
    .replace(/[?!.]+$/, "")
    .slice(0, 400);
  return NAMED.flatMap((pattern) => pattern.exec(said)?.[1] ?? []);
}

const KIND = "(?:function|method|class|type|interface|constant|variable|option|setting|flag|enum|struct|trait|macro)";
const NAMED = [
  `^(?:where|how) (?:is|are) (?:the )?(?:${KIND} )?([A-Za-z_$][\\w$]*)(?: ${KIND})? (?:defined|declared)$`,
  `^what does (?:the )?(?:${KIND} )?([A-Za-z_$][\\w$]*)(?: ${KIND})? do$`,
  `^(?:where|what) is (?:the )?${KIND} ([A-Za-z_$][\\w$]*)(?: (?:for|used for))?$`,
  `\\bdefault (?:value )?(?:of|for) (?:the )?(?:${KIND} )?([A-Za-z_$][\\w$]*)(?: ${KIND})?$`,
].map((source) => new RegExp(source, "i"));

function exactly(word: string): Concept {
  const name = word.replace(/\(\)$/, "").replace(/^[@#$]/, "");
  return { word: name, stems: [name], exact: true };
}

function takeQuoted(question: string): { phrases: string[]; rest: string } {
  const phrases: string[] = [];
  const rest = question.replace(/`([^`\n]{2,100})`|"([^"\n]{2,100})"|(?<=\s)'([^'\n]{2,100})'/g, (_all, a, b, c) => {
    phrases.push(String(a ?? b ?? c).trim());
    return " ";
  });
  return { phrases: phrases.filter((phrase) => phrase.length > 1), rest };
}

function nearTo(token: string): readonly string[] {
  const own = stem(token);
  const near = groups.filter((group) => group.includes(own)).flat();
  return [...new Set([own, ...near])];
}

const groups: readonly (readonly string[])[] = [
  "write append record persist save store emit put",
  "read load fetch get open",
  "delete remove drop clear destroy erase unlink",
  "create make build construct new init",
  "start launch begin spawn boot",
  "stop end close cancel abort kill terminate",
  "send post publish dispatch emit",
  "check validate verify ensure assert",
  "find search lookup locate",
  "parse decode deserialize",
  "serialize encode stringify format",
  "error fault failure exception",
  "config configuration setting option preference",
  "auth authenticate authorize login",
  "retry backoff attempt",
  "limit throttle cap bound",
  "compute calculate count sum determine",
  "tell is whether check test",
  "same equal identical is",
  "similar distance near close",
  "time timeout duration",
  "detect check find",
  "remove prune evict purge delete",
  "expire stale old",
  "wrap break fold",
  "raise throw",
  "turn convert transform to",
  "mandatory required missing",
  "plain current raw",
  "copy clone",
  "argument arg param parameter",
  "environment env",
  "process child spawn fork exec execute",
  "color colour",
  "value val",
  "previous prev",
  "information info",
  "request req",
  "response res",
  "message msg",
  "property prop attribute",
  "show render display print",
  "change update edit modify set",
  "merge join combine",
  "split separate divide",
  "folder dir directory",
  "permission allow grant right",
  "password secret credential token",
  "choose pick select decide judge evaluate determine whether can should",
  "wait sleep delay pause",
  "compare diff equal",
  "acquire take obtain claim",
  "sort order rank",
  "hash digest checksum",
].map((line) => line.split(" ").map(stem));

const stopWords = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can code codebase could did do does doing done down during each else etc exactly explain few file files find for from function
  functions further give go goes had happen happens has have having help here how i if implement implemented implements implementing in into
  is it its itself just kind know let like line list locate look made main make makes may me method methods might
  module more most much must my need of off on once one only or other our out over own part place please project repo
  repository same search show should so some somewhere source src such tell than thanks that the their them then
  there these they thing this those through to too under until up us use used uses using via very want was we were
  what when where which while who whom whose why will with within work works would you your class classes type
  defined definition responsible called actually currently handle handles handled describe whether fix bug bugs issue issues problem problems add not no another given two come comes `.split(
    /\s+/,
  ),
);
