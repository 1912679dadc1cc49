// Shell commands from a grammar, seeded: what a model might write, and what somebody who means harm might.
export type Pick = <T>(from: readonly T[]) => T;

/** Programs that do nothing but note that they were started. */
export const STUBS = ["git", "rm", "npm", "cat", "evil", "ls", "id", "curl"] as const;
/** Real programs that run others. */
export const WRAPPERS = ["env", "nice", "timeout", "xargs", "sh", "bash", "find", "nohup", "setsid", "stdbuf"] as const;

export function shellCommand(pick: Pick): string {
  return list(pick, 3);
}

/** The same, written as oddly as the shell still takes it, or does not: where a parser and the shell may disagree. */
export function oddShellCommand(pick: Pick): string {
  let text = pick([() => list(pick, 2), () => oddList(pick), () => oddList(pick)])();
  for (let n = pick([0, 0, 1, 1, 2, 3]); n > 0; n--) {
    const at = pick(Array.from({ length: text.length + 1 }, (_, where) => where));
    text = text.slice(0, at) + pick(SPLINTERS) + text.slice(at);
  }
  return text;
}

/** What is thrown in anywhere. */
const SPLINTERS = [
  ...[
    "\\\n",
    "\\\n",
    "\\\n",
    "\\\n ",
    " \\\n",
    "\t",
    "  ",
    "\n",
    "'",
    '"',
    "\\",
    "$",
    "`",
    "#",
    " # ",
    "{",
    "}",
    "[",
    "]",
  ],
  ...[
    "~",
    "!",
    "*",
    "?",
    "=",
    "''",
    '""',
    "$''",
    "\u00e9",
    "\u{1f600}",
    "\u3000",
    "\u200b",
    "\ufeff",
    ";",
    "&",
    "|",
    "(",
    ")",
    "<",
    ">",
    "-",
    "e\u0301",
  ],
];

const oddList = (pick: Pick): string =>
  Array.from({ length: pick([1, 1, 2, 3]) }, () => oddSimple(pick)).join(
    pick(["; ", " && ", " | ", "\n", "\t;\t", " ||\n", " # note\n", " &&\\\n", "\\\n&& ", "; \\\n", " |\n\n", "\n\n"]),
  );

function oddSimple(pick: Pick): string {
  const words = Array.from({ length: pick([1, 2, 3]) }, () => oddWord(pick));
  const blank = pick([" ", " ", "  ", "\t", " \\\n", "\\\n ", " \\\n\t"]);
  const plain = [pick(STUBS), ...words].join(blank);
  const [marker, body] = [
    pick(["E", "'E'", '"E"', "\\E", "EOF-1"]),
    Array.from({ length: pick([0, 1, 2]) }, () => hereLine(pick)),
  ];
  const end = marker.replace(/['"\\]/g, "");
  return pick([
    () => plain,
    () => plain,
    () => plain,
    () => `${plain} <<${marker}\n${body.map((line) => `${line}\n`).join("")}${end}\n`,
    () => `${plain} <<-${marker}\n${body.map((line) => `\t${line}\n`).join("")}\t${end}\n`,
    () => `${plain} <<<${oddWord(pick)}`,
    () => `${plain}>${pick(["out", "'out'", "o\\ut", '"out"', "$'out'"])}`,
    () => `${pick(["2>&1 ", "<a.txt ", ">out ", "x=1 "])}${plain}`,
    () => `for f in ${words.join(" ")}; do ${pick(STUBS)} "$f" ${oddWord(pick)}; done`,
    () =>
      `case ${oddWord(pick)} in ${pick(["a", "a*", "[a-c]*", "*", "'*'", "a|b"])}) ${plain};; *) ${pick(STUBS)};; esac`,
    () => `if ${plain}; then ${pick(STUBS)} ${oddWord(pick)}; fi`,
    () => `( ${plain} )`,
    () => `{ ${plain}; } | ${pick(STUBS)}`,
    () => `[[ ${oddWord(pick)} ${pick(["==", "!=", "=", "<", "=~"])} ${oddWord(pick)} ]] && ${plain}`,
  ])();
}

const hereLine = (pick: Pick): string =>
  pick([
    ...[
      "plain",
      "$HOME",
      "${x:-a}",
      "${x:-'$(evil)'}",
      '${x:-"$(evil)"}',
      "\\$HOME",
      "a\\\\b",
      "$(id)",
      "`id`",
      "\"q\" 'q'",
      "a\\",
    ],
    ...[
      "\\`",
      "$",
      "$'x'",
      "${x}",
      "E x",
      " E",
      "# c",
      "\ttab",
      "\u00e9",
      "$(id 'a\"b')",
      "${x:-`id`}",
      "$((1+1))",
      "\\x",
    ],
  ]);

function oddWord(pick: Pick): string {
  return Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => oddPiece(pick)).join("");
}

const oddPiece = (pick: Pick): string =>
  pick([
    ...[
      "a",
      "-x",
      "b.txt",
      "a=b",
      "=",
      "1",
      "ab\\ c",
      "'b c'",
      '"d e"',
      "''",
      '""',
      "\\'",
      '\\"',
      "\\\\",
      "\\a",
      "\\n",
      "\\$x",
    ],
    ...[
      "$'a\\nb'",
      "$'\\x41'",
      "$'\\x{2d}'",
      "$'\\xff'",
      "$'\\u00e9'",
      "$'\\ud800'",
      "$'\\101'",
      "$'\\cA'",
      "$'it\\'s'",
      "$'\\e'",
      "$'\\x4'",
    ],
    ...[
      "$'\\8'",
      "$'\\0'",
      "$'a\\\nb'",
      '$"a b"',
      '"a\\\nb"',
      "a\\\nb",
      "'a\\\nb'",
      '"a\\b"',
      '"\\$x \\" \\`"',
      '"a\nb"',
      "'a\nb'",
    ],
    ...[
      "$HOME",
      '"$HOME"',
      "$x",
      '"$x"',
      "${x}",
      "${x:-a}",
      '"${x:-a b}"',
      "${x:-a b}",
      "${x:-'a b'}",
      "\"${x:-'a'}\"",
      '${x:-"a b"}',
      "\"${x:-'$(evil)'}\"",
    ],
    ...[
      "${x:+a}",
      "${HOME%/*}",
      "${HOME##*/}",
      "${HOME/o/0}",
      "${HOME//[ab]/c}",
      "${#HOME}",
      "$#",
      "$?",
      "$@",
      '"$@"',
      "$*",
      "$1",
      "${x\\\n}",
      "$\\\nx",
    ],
    ...[
      "$(id)",
      '"$(id)"',
      "$(id 'a b')",
      '"$(id "a b")"',
      "`id`",
      '"`id a`"',
      "`id \\`id\\``",
      "$(id \\\n a)",
      "$( (id) )",
      "$(id;id)",
      "${x:-$(id)}",
    ],
    ...[
      "*.txt",
      "a*",
      "?.txt",
      "[ab].txt",
      "[!a].txt",
      "[[:alpha:]].txt",
      "'*'.txt",
      "\\*",
      "{a,b}",
      "{a,'b c'}",
      "{1..3}",
      "{a}",
      "{}",
      "x{a,b}y",
      "{a,$x}",
    ],
    ...[
      "~",
      "~/x",
      "a~",
      "\\~",
      "'~'",
      "x=~",
      "a:~",
      "~root",
      "#",
      "a#b",
      "!",
      "a!b",
      "%",
      "@(a)",
      "+",
      ",",
      "^",
      "a,b",
      "[",
      "]",
      "a]",
      "[a",
      "a[b]",
    ],
    ...["\u00e9", "\u{1f600}", "\u3000", "$((1+1))", "$((x))", "$[1]", "<(id)", "$-", "$_", "2", "\\#", "\\;", "\\&"],
  ]);

function list(pick: Pick, depth: number): string {
  const count = pick([1, 1, 2, 3]);
  const joints = ["; ", " && ", " || ", " | ", " |& ", "\n", " &\n", ";"];
  let text = command(pick, depth);
  for (let n = 1; n < count; n++) text += pick(joints) + command(pick, depth);
  return text;
}

function command(pick: Pick, depth: number): string {
  if (depth <= 0) return simple(pick, 0);
  const inner = (): string => list(pick, depth - 1);
  switch (pick(["simple", "simple", "simple", "wrapped", "wrapped", "compound", "odd"] as const)) {
    case "simple":
      return simple(pick, depth);
    case "wrapped":
      return wrapped(pick, depth);
    case "compound":
      return pick([
        () => `if ${inner()}; then ${inner()}; fi`,
        () => `for f in a b; do ${inner()}; done`,
        () => `while ${simple(pick, 0)}; do ${inner()}; break; done`,
        () => `case a in a) ${inner()};; b) ${inner()};; esac`,
        () => `( ${inner()} )`,
        () => `{ ${inner()}; }`,
        () => `! ${inner()}`,
        () => `[[ a == a && $(${inner()}) == b ]]`,
        () => `f() { ${inner()}; }; f`,
      ])();
    case "odd":
      return pick([
        () => `${pick(STUBS)} <<E\n$(${inner()})\nE\n`,
        () => `${pick(STUBS)} <<'E'\n$(${inner()})\nE\n`,
        () => `${pick(STUBS)} <<-E\n\t\`${simple(pick, 0)}\`\n\tE\n`,
        () => `${pick(STUBS)} <<< "$(${inner()})"`,
        () => `x=$(${inner()})`,
        () => `x="a" ${simple(pick, 0)}`,
        () => `${pick(STUBS)} < <(${inner()})`,
        () => `x='${pick(STUBS)} a'; $x`,
        () => `eval "${simple(pick, 0).replaceAll('"', "")}"`,
        () => `echo \${x:-$(${inner()})}`,
        () => `echo \${x:=\`${simple(pick, 0)}\`}`,
        () => `echo $(( 1 + $(${simple(pick, 0)}; echo 1) ))`,
        () => `a[$(${simple(pick, 0)}; echo 0)]=1`,
        () => `trap '${simple(pick, 0).replaceAll("'", "")}' EXIT`,
        () => `alias ls=evil\nls`,
        () => `printf -v 'a[$(evil)]' x`,
        () => `command ${simple(pick, 0)}`,
        () => `\\\n${simple(pick, 0)}`,
        () => `# ${pick(STUBS)}\n${simple(pick, 0)}`,
        () => `${pick(STUBS)} 'a # b' # ; evil`,
        () => `${pick(["$'\\x65vil'", "e''vil", "\\evil", '"evil"', "e{,}vil", "ev*l", "${e:-evil}"])} x`,
      ])();
  }
}

function wrapped(pick: Pick, depth: number): string {
  const inner = simple(pick, depth - 1);
  const quoted = list(pick, depth - 1).replaceAll("'", "");
  return pick([
    () => `env ${inner}`,
    () => `env A=b ${inner}`,
    () => `env -i PATH="$PATH" LOG="$LOG" ${inner}`,
    () => `nice ${inner}`,
    () => `nice -n 1 ${inner}`,
    () => `timeout 5 ${inner}`,
    () => `timeout -k 1 5 ${inner}`,
    () => `nohup ${inner}`,
    () => `setsid -w ${inner}`,
    () => `stdbuf -oL ${inner}`,
    () => `echo a | xargs ${inner}`,
    () => `echo a | xargs -n1 ${inner}`,
    () => `sh -c '${quoted}'`,
    () => `bash -c '${quoted}'`,
    () => `find . -maxdepth 0 -exec ${pick(STUBS)} {} \\;`,
    () => `find . -maxdepth 0 -exec ${pick(STUBS)} {} +`,
    () => `nice env timeout 5 ${inner}`,
  ])();
}

function simple(pick: Pick, depth: number): string {
  const words = Array.from({ length: pick([0, 1, 2]) }, () => argument(pick, depth));
  const redirect = pick(["", "", "", " 2>&1", " > out", " 2>/dev/null", " >> out", " < /dev/null"]);
  return [pick([...STUBS, "echo", "true", "./evil", "$PWD/evil"]), ...words].join(" ") + redirect;
}

function argument(pick: Pick, depth: number): string {
  const nested = depth > 0 ? [`$(${pick(STUBS)})`, `\`${pick(STUBS)} a\``, `"$(${pick(STUBS)} "b")"`] : [];
  return pick([
    ...["-1", "a", "'b c'", '"d"', "$HOME", '"$x"', "a\\ b", "--x=y", "*.txt", "{a,b}", "$'\\n'", "~", "'$(evil)'"],
    ...["';'", "\\;", "a#b", "$(( 1 + 1 ))", "$((x))", "${x%a}", "${#x}", "[a]", "!", "=", "\\$(evil)"],
    ...nested,
    ...nested,
  ]);
}
