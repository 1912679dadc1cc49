// How definitions look in each family of languages, one line at a time. Every pattern is anchored and linear.
export type Kind = "function" | "method" | "class" | "type" | "constant";
export type Family = "js" | "python" | "go" | "rust" | "java" | "c" | "ruby" | "shell" | "php";
type Line = { readonly kind: Kind; readonly name: string };

export function familyOf(path: string): Family | undefined {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return byEnding[name.slice(name.lastIndexOf(".") + 1).toLowerCase()];
}

/** What the line defines, if anything; `next` is the line below. Lines longer than this are no definitions. */
export function definitionIn(family: Family, line: string, next: string): Line | undefined {
  if (line.length > 400 || /^\s*(\/\/|\*|\/\*|#(?!\w))/.test(line)) return undefined;
  for (const [kind, pattern] of patterns[family]) {
    const name = pattern.exec(line)?.groups?.["name"];
    if (name !== undefined && !keywords.has(name)) return { kind, name };
  }
  if (family === "js") return jsMember(line);
  if (family === "java" || family === "c" || family === "php") return cLike(line, next);
  return undefined;
}

type Patterns = readonly (readonly [Kind, RegExp])[];

const js: Patterns = [
  ["function", /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:async\s+)?function\s*\*?\s*(?<name>[\w$]+)/],
  ["class", /^\s*(?:export\s+)?(?:default\s+)?(?:declare\s+)?(?:abstract\s+)?class\s+(?<name>[\w$]+)/],
  ["type", /^\s*(?:export\s+)?(?:declare\s+)?(?:const\s+)?(?:interface|type|enum|namespace)\s+(?<name>[\w$]+)/],
  [
    "function",
    /^\s*(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]{1,200})?=\s*(?:async\s*)?(?:function\b|[\w$]+\s*=>|(?:<[^=]{1,100}>\s*)?\((?=\s*$|.*=>|.*[,:]\s*$))/,
  ],
  ["function", /^(?:module\.)?exports\.(?<name>[\w$]+)\s*=\s*(?:async\s*)?(?:function\b|\(|[\w$]+\s*=>)/],
  ["constant", /^(?:export\s+)?(?:const|let|var)\s+(?<name>[\w$]+)\s*(?::[^=]{1,200})?=/],
];

const patterns: Readonly<Record<Family, Patterns>> = {
  js,
  python: [
    ["function", /^(?:async\s+)?def\s+(?<name>\w+)/],
    ["method", /^\s+(?:async\s+)?def\s+(?<name>\w+)/],
    ["class", /^\s*class\s+(?<name>\w+)/],
    ["constant", /^(?<name>[A-Z][A-Z0-9_]{2,})\s*(?::[^=]{1,80})?=[^=]/],
  ],
  go: [
    ["method", /^func\s+\([^)]{1,120}\)\s*(?<name>\w+)/],
    ["function", /^func\s+(?<name>\w+)/],
    ["type", /^\s*type\s+(?<name>\w+)\s+/],
    ["constant", /^(?:const|var)\s+(?<name>\w+)\b/],
  ],
  rust: [
    [
      "function",
      /^\s*(?:pub(?:\([^)]{1,60}\))?\s+)?(?:default\s+)?(?:const\s+)?(?:async\s+)?(?:unsafe\s+)?(?:extern\s+"[^"]{0,20}"\s+)?fn\s+(?<name>\w+)/,
    ],
    ["class", /^\s*impl(?:<[^>]{0,200}>)?\s+(?:[\w:<>, ']{1,200}\s+for\s+)?(?<name>\w+)/],
    ["type", /^\s*(?:pub(?:\([^)]{1,60}\))?\s+)?(?:struct|enum|trait|union|type|mod)\s+(?<name>\w+)/],
    ["function", /^\s*macro_rules!\s*(?<name>\w+)/],
    ["constant", /^\s*(?:pub(?:\([^)]{1,60}\))?\s+)?(?:const|static)\s+(?:mut\s+)?(?<name>\w+)\s*:/],
  ],
  java: [
    [
      "class",
      /^\s*(?:(?:public|private|protected|internal|static|final|abstract|sealed|open|data|partial|case)\s+){0,6}(?:class|interface|enum|record|object|trait|struct|protocol|extension|actor)\s+(?<name>\w+)/,
    ],
    [
      "method",
      /^\s*(?:(?:public|private|protected|internal|static|final|override|open|suspend|inline|mutating|async|@\w+)\s+){0,6}(?:fun|func|def)\s+(?:<[^>]{0,100}>\s*)?(?:\w+\.)?(?<name>\w+)/,
    ],
  ],
  c: [
    [
      "class",
      /^\s*(?:template\s*<[^>]{0,200}>\s*)?(?:typedef\s+)?(?:class|struct|enum|union|namespace)\s+(?:class\s+)?(?<name>\w+)\s*[^;]*$/,
    ],
    ["constant", /^#\s*define\s+(?<name>\w+)/],
  ],
  ruby: [
    ["method", /^\s*def\s+(?:self\.)?(?<name>\w+[?!=]?)/],
    ["class", /^\s*(?:class|module)\s+(?<name>[\w:]+)/],
  ],
  shell: [
    ["function", /^\s*function\s+(?<name>[\w:-]+)/],
    ["function", /^\s*(?<name>[\w:-]+)\s*\(\)/],
  ],
  php: [
    ["class", /^\s*(?:(?:abstract|final|readonly)\s+){0,3}(?:class|interface|trait|enum)\s+(?<name>\w+)/],
    ["function", /^\s*(?:(?:public|private|protected|static|final|abstract)\s+){0,4}function\s+&?(?<name>\w+)/],
  ],
};

/** `name(…) {` and `name: (…) =>` inside a class or an object. */
function jsMember(line: string): Line | undefined {
  const named =
    /^\s+(?:(?:public|private|protected|static|async|override|readonly|get|set|abstract)\s+){0,4}\*?(?<name>#?[\w$]+)(?<rest>.*)$/.exec(
      line,
    );
  const { name = "", rest = "" } = named?.groups ?? {};
  if (name === "" || keywords.has(name)) return undefined;
  const called =
    /^(?:<.{1,150}>)?\(/.test(rest) && /(?:\{|\(|,|\)|=> .{1,200})\s*$/.test(rest) && !/^[^(]*\(.*\)\s*$/.test(rest);
  if (called && !/^\s*(?:await|yield|new)\b/.test(line))
    return isSignature(rest) ? { kind: "method", name } : undefined;
  if (/^\s*[:=]\s*(?:async\s*)?(?:function\b|[\w$]+\s*=>|\([^)]{0,200}\)\s*(?::[^=]{1,80})?=>)/.test(rest))
    return { kind: "method", name };
  return undefined;
}

/** `(a, b): Type {` opens a body; `(a, () => {` is a call with a callback. */
function isSignature(rest: string): boolean {
  if (/\(\s*$/.test(rest)) return /^(?:<.{1,150}>)?\(\s*$/.test(rest);
  return /\)\s*(?::[^(){}]{1,160}(?:\{[^{}]{0,80}\}[^(){}]{0,40})?)?\s*\{\s*$/.test(rest) && !/=>\s*\{\s*$/.test(rest);
}

/** `type name(…)` without a semicolon, with its body on this line or the next. */
function cLike(line: string, next: string): Line | undefined {
  const open = line.indexOf("(");
  if (open < 1 || /;\s*$/.test(line) || /[=?]/.test(line.slice(0, open))) return undefined;
  const head = /^(?<before>[\w\s*&:<>,[\]@.~?]{2,200}[\s*&:~])(?<name>[\w~]{1,80})\s*$/.exec(line.slice(0, open));
  const { before = "", name = "" } = head?.groups ?? {};
  const first = /\w+/.exec(before)?.[0] ?? "";
  if (name === "" || keywords.has(name) || keywords.has(first)) return undefined;
  const opens = /\{\s*$|,\s*$|\{.*\}\s*$/.test(line) || /^\s*\{/.test(next) || /throws\b/.test(next);
  return opens ? { kind: "method", name } : undefined;
}

const keywords = new Set(
  "if else for while switch case catch return await yield function new throw typeof delete do try with super import in of and or not elif except assert using sizeof defined lock foreach unless until expect describe test it constructor".split(
    " ",
  ),
);

const endings: Readonly<Record<Family, string>> = {
  js: "ts tsx js jsx mjs cjs mts cts vue svelte",
  python: "py pyi",
  go: "go",
  rust: "rs",
  java: "java kt kts scala cs swift groovy dart",
  c: "c h cc cpp cxx hpp hh m mm",
  ruby: "rb rake",
  shell: "sh bash zsh",
  php: "php",
};

const byEnding: Readonly<Record<string, Family>> = Object.fromEntries(
  Object.entries(endings).flatMap(([family, list]) => list.split(" ").map((ending) => [ending, family as Family])),
);
