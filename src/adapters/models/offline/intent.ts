// What a prompt asks for. Pure rules, most telling first; what fits none of them is `unknown`, and said to be.
import type { Wanted } from "./rank.ts";
import { type Concept, conceptsOf } from "./words.ts";

export type Intent =
  | { readonly is: "help" }
  | { readonly is: "todos" }
  | { readonly is: "summary" }
  | { readonly is: "review"; readonly target: ReviewTarget }
  | { readonly is: "explain"; readonly path: string }
  | { readonly is: "usages"; readonly name: string }
  | { readonly is: "plan"; readonly goal: string; readonly concepts: readonly Concept[]; readonly wanted: Wanted }
  | { readonly is: "find"; readonly concepts: readonly Concept[]; readonly wanted: Wanted }
  | { readonly is: "unknown"; readonly concepts: readonly Concept[]; readonly wanted: Wanted };

export type ReviewTarget =
  | { readonly of: "work" }
  | { readonly of: "staged" }
  | { readonly of: "since"; readonly ref: string }
  | { readonly of: "file"; readonly path: string };

export function intentOf(prompt: string): Intent {
  const said = prompt.replace(/\s+/g, " ").trim();
  const asks = said.toLowerCase();
  const path = pathIn(said);
  if (/^(help|hi|hello|hey|\?)[.!? ]*$|^what can you do|^who are you|^what are you/.test(asks) || said === "") return { is: "help" };
  const plan = /^(?:please )?(?:make (?:a |me a )?plan (?:to|for|how to) |plan (?:how to |to |for |out )?:? ?|(?:write|create|draft|give me) (?:a |an )?(?:implementation )?plan (?:to|for|how to) |how (?:would|should|could|do|can) (?:i|we|you) (?=add|implement|build|change|refactor|support|migrate))/.exec(asks);
  if (plan && said.length > plan[0].length) {
    const goal = said.slice(plan[0].length).trim();
    return { is: "plan", goal, concepts: conceptsOf(withoutVerb(goal)), wanted: "any" };
  }
  if (/\breview\b|\bcheck (?:the|my) (?:diff|changes)\b|\bcode review\b/.test(asks)) return { is: "review", target: targetOf(asks, said, path) };
  if (/\b(?:todo|fixme|hack|xxx)s?\b/.test(asks) && /\b(?:list|show|find|what|which|where|all|any|open|count|how many)\b|^todos?\b/.test(asks))
    return { is: "todos" };
  const name = path === undefined ? usedName(said) : undefined;
  if (name !== undefined) return { is: "usages", name };
  if (isAboutWhole(asks)) return { is: "summary" };
  if (path !== undefined && /\b(?:what|explain|describe|summari[sz]e|how|show|tell|purpose|about|read|open)\b/.test(asks) && !/^where\b/.test(asks))
    return { is: "explain", path };
  const concepts = conceptsOf(said);
  const wanted = wantedIn(asks);
  const question = /^(?:so |and |ok |please |can you |could you )*(?:where|which|what|who|when|how|why|find|search|locate|show|list|grep|look|is there|are there|does|do|explain|describe|tell)\b|\?$/;
  if (question.test(asks) && concepts.length > 0) return { is: "find", concepts, wanted };
  if (path !== undefined && said.split(" ").length <= 2) return { is: "explain", path };
  if (concepts.length > 0 && said.split(" ").length <= 3 && !doing.test(asks)) return { is: "find", concepts, wanted };
  return { is: "unknown", concepts, wanted };
}

const doing = /^(?:please )?(?:add|fix|write|create|implement|change|refactor|delete|remove|rename|move|run|install|update|upgrade|make|build|deploy|commit|push|translate|convert)\b/;

const withoutVerb = (goal: string): string => goal.replace(/^(?:add|adding|implement|build|change|refactor|support|migrate|create|make|fix|introduce|remove)(?:ing)? /i, "");

const isAboutWhole = (asks: string): boolean =>
  /\b(?:summari[sz]e|summary of|overview|tour|describe|explain|what is|what's|what does|about|understand|introduc\w+)\b.{0,30}\b(?:this|the|our|my)? ?(?:whole |entire )?(?:repo|repository|project|code ?base|folder|directory|package|program|app)\b(?! (?:for|that|which|where))/.test(asks) ||
  /\bhow (?:do|can|to) (?:i |we |you )?(?:build|run|test|start|install)(?: (?:it|this|the (?:tests?|project|repo|code|app)))?\??$/.test(asks) ||
  /^(?:overview|summari[sz]e|summary|tour)[.! ]*$/.test(asks);

function wantedIn(asks: string): Wanted {
  const word = /\b(function|method|routine|handler|class|struct|interface|type|enum|file|module|test)s?\b/.exec(asks)?.[1];
  if (word === "function" || word === "method" || word === "routine" || word === "handler") return "function";
  if (word === "class" || word === "struct") return "class";
  if (word === "interface" || word === "type" || word === "enum") return "type";
  return word === "file" || word === "module" ? "file" : word === "test" ? "test" : "any";
}

function targetOf(asks: string, said: string, path: string | undefined): ReviewTarget {
  if (path !== undefined) return { of: "file", path };
  if (/\b(?:staged|cached|index)\b/.test(asks)) return { of: "staged" };
  const ref = /\b(?:against|since|from|with|to) (?:the )?(?:branch |commit |tag )?([A-Za-z0-9][\w./-]{0,100})/.exec(said)?.[1];
  if (ref !== undefined && !/^(?:me|the|my|last|us|bugs?|security|style|now|it)$/i.test(ref) && !ref.includes("..")) return { of: "since", ref };
  return { of: "work" };
}

const KNOWN_FILES = /^(?:readme|makefile|dockerfile|license|changelog|contributing|gemfile|rakefile|procfile|jenkinsfile|vagrantfile|justfile)$/i;

/** The first word that looks like a path: with a slash, or with an ending. */
export function pathIn(said: string): string | undefined {
  for (const raw of said.split(" ").slice(0, 200)) {
    const word = raw.replace(/^[^\w.@/~]+|[^\w/]+$/g, "").replace(/^@/, "");
    if (word.length < 2 || word.length > 300 || word.includes("://") || word.includes("(")) continue;
    if (KNOWN_FILES.test(word)) return word;
    if (/^[\w.@~-]*(?:\/[\w.@+[\]-]+)+\/?$/.test(word) && /[a-z]/i.test(word) && !/^(?:and\/or|he\/she|i\/o|read\/write|yes\/no)$/i.test(word)) return word;
    if (/^[\w-]+(?:\.[\w-]+)*\.(?:[cm]?[jt]sx?|py|pyi|go|rs|java|kt|scala|cs|swift|c|h|cc|cpp|hpp|rb|sh|php|md|json|ya?ml|toml|lock|txt|html?|css|scss|sql|xml|ini|cfg|conf|vue|svelte|proto|gradle)$/i.test(word)) return word;
  }
  return undefined;
}

const USES: readonly RegExp[] = [
  /\b(?:who|what|which \w{1,30}|where do (?:we|i)) (?:uses?|calls?|imports?|references?) (?:the )?(?:function |method |class |type )?[`"']?([A-Za-z_$][\w$.]{1,100})(?:\(\))?[`"']?\??$/i,
  /\b(?:usages?|uses|callers?|references) (?:of|to) (?:the )?(?:function |method |class |type )?[`"']?([A-Za-z_$][\w$.]{1,100})(?:\(\))?[`"']?\??$/i,
  /\b(?:where|how|who) is (?:the )?(?:function |method |class |type )?[`"']?([A-Za-z_$][\w$.]{1,100})(?:\(\))?[`"']? (?:being )?(?:used|called|imported|referenced)(?: by| from)?\??$/i,
];

/** The name whose uses are asked for; the last part of a dotted one. */
function usedName(said: string): string | undefined {
  const found = USES.map((pattern) => pattern.exec(said)?.[1]).find((name) => name !== undefined);
  const name = found?.split(".").findLast((part) => part !== "");
  return name !== undefined && !/^(?:this|the|it|that|them|these)$/i.test(name) ? name : undefined;
}
