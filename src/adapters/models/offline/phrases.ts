// The phrases by which prompts are told apart. Each list is one rule; what it tests is in small letters.
export const isGreeting = phrase([
  String.raw`^(?:help|hi|hello|hey|\?)[.!? ]*$`,
  "^what can you do",
  "^(?:who|what) are you",
]);

export const isAround = phrase([String.raw`^(?:please )?show me (?:around|what you can do)`, "^look around"]);

export const isReview = (asks: string): boolean => asksForReview(asks) || (looks(asks) && atChanges(asks));
const asksForReview = phrase([
  String.raw`^(?:please |can you |could you )*(?:do |give me |run )?(?:a |the )?(?:code |quick )?review\b`,
]);
const looks = phrase([String.raw`\b(?:review|check|look at|inspect)\b`]);
const atChanges = phrase([String.raw`\b(?:diff|(?:my|the|uncommitted|staged) changes)\b`]);

export const isStaged = phrase([String.raw`\b(?:staged|cached|index)\b`]);

const MOST_WORDS_ABOUT_MARKS = 9;
export const isAboutMarks = (asks: string): boolean =>
  marks(asks) && asksForList(asks) && asks.split(" ").length <= MOST_WORDS_ABOUT_MARKS;
const marks = phrase([String.raw`\b(?:todo|fixme|hack|xxx)s?\b`]);
const asksForList = phrase([
  String.raw`^(?:please |can you |could you )*(?:list|show|find|what|which|where|all|any|open|count|give)\b`,
  String.raw`^(?:how many|are there|todos?|fixmes?)\b`,
]);

const WHOLE = "(?:repo|repository|project|code ?base|folder|directory|package|program|app|application)";
const TELL =
  "(?:summari[sz]e|summary|overview|tour|describe|explain|what is|what's|what does|about|understand|introduce)";
export const isAboutWhole = phrase([
  String.raw`\b${TELL}\b.{0,30}\b(?:this|the|our|my) (?:whole |entire )?${WHOLE}` +
    String.raw`(?: (?:do|does|about|is|works?|structure|layout))*[?.! ]*$`,
  String.raw`\bhow (?:do|can|to) (?:i |we |you )?(?:build|run|test|start|install)` +
    String.raw`(?: (?:it|this|(?:the|this) (?:tests?|project|repo|code|app)))?[?. ]*$`,
  "^(?:overview|summari[sz]e|summary|tour)[.! ]*$",
]);

const POLITE = "^(?:so |and |ok |please |can you |could you )*";
/** Where the program begins, which files there are, how many, what it depends on. */
export const factAsked = (asks: string): Fact | undefined => FACTS.find(([, fits]) => fits(asks))?.[0];
export type Fact = "entry" | "files" | "dependencies";
const FACTS: readonly (readonly [Fact, (asks: string) => boolean])[] = [
  [
    "entry",
    phrase([
      String.raw`^(?:where|how) (?:does|do|is|are) (?:it|this|(?:the|this|our|my) (?:whole )?${WHOLE}|execution|everything) (?:start|begin|launch)(?:s|ed)?\b[?. ]*$`,
      String.raw`^(?:where|what|which) (?:is|are) (?:the )?(?:main )?entry ?points?(?: (?:of|to|for) .{1,40})?[?. ]*$`,
      String.raw`^(?:show|find|list) (?:me )?(?:the )?entry ?points?[?. ]*$`,
    ]),
  ],
  [
    "files",
    phrase([
      String.raw`${POLITE}(?:list|show)(?: me)? (?:all )?(?:the |all |every )?files?(?: (?:in|of) .{1,40})?[?. ]*$`,
      String.raw`^(?:how many|which|what) files (?:are|does|do|is)\b(?: (?:there|here|in|this|the|it|have|we|${WHOLE}))*[?. ]*$`,
    ]),
  ],
  [
    "dependencies",
    phrase([
      String.raw`^(?:what|which) (?:are|is) (?:the|its|our|this ${WHOLE}'s) dependenc(?:y|ies)(?: of .{1,40})?[?. ]*$`,
      String.raw`^(?:what|which) (?:dependencies|libraries|packages) (?:does|do|are|is)\b.{0,40}$`,
      String.raw`${POLITE}(?:list|show)(?: me)? (?:all )?(?:the |its |all )?dependencies[?. ]*$`,
    ]),
  ],
];

export const asksAboutFile = phrase([
  String.raw`\b(?:what|explain|describe|summari[sz]e|how|show|tell|purpose|about|read|open)\b`,
]);

export const isQuestion = phrase([
  String.raw`^(?:so |and |ok |please |can you |could you )*(?:where|which|what|who|when|how|why|find|search|locate)\b`,
  String.raw`^(?:so |and |ok |please |can you |could you )*(?:show|list|grep|look|explain|describe|tell)\b`,
  String.raw`^(?:is there|are there|does|do)\b`,
  String.raw`\?$`,
]);

export const isOrder = phrase([
  String.raw`^(?:please )?(?:add|fix|write|create|implement|change|refactor|delete|remove|rename|move|run|install)\b`,
  String.raw`^(?:please )?(?:update|upgrade|make|build|deploy|commit|push|translate|convert)\b`,
]);

/** How many characters at the beginning only say that a plan is wanted; 0 when none is. */
export const planPrefix = (asks: string): number => PLAN.exec(asks)?.[0].length ?? 0;
const PLAN = new RegExp(
  [
    "^(?:please )?make (?:a |me a )?plan (?:to|for|how to) ",
    "^(?:please )?plan (?:how to |to |for |out )?:? ?",
    "^(?:please )?(?:write|create|draft|give me) (?:a |an )?(?:implementation )?plan (?:to|for|how to) ",
    "^how (?:would|should|could|do|can) (?:i|we|you) (?=add|implement|build|change|refactor|support|migrate)",
  ].join("|"),
);

export const withoutVerb = (goal: string): string => goal.replace(VERB, "");
const VERB = /^(?:add|implement|build|change|refactor|support|migrat|creat|mak|fix|introduc|remov)(?:e|ing)? /i;

function phrase(anyOf: readonly string[]): (asks: string) => boolean {
  const pattern = new RegExp(anyOf.join("|"));
  return (asks) => pattern.test(asks);
}
