// Shell commands from a grammar, seeded: what a model might write, and what somebody who means harm might.
export type Pick = <T>(from: readonly T[]) => T;

/** Programs that do nothing but note that they were started. */
export const STUBS = ["git", "rm", "npm", "cat", "evil", "ls", "id", "curl"] as const;
/** Real programs that run others. */
export const WRAPPERS = ["env", "nice", "timeout", "xargs", "sh", "bash", "find", "nohup", "setsid", "stdbuf"] as const;

export function shellCommand(pick: Pick): string {
  return list(pick, 3);
}

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
