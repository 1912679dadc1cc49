// Prints a command anew from what was read of it, in the plainest form that means the same to every shell: words in
// single quotes, here-documents as here-strings, one command a line. What cannot be printed was not read whole.
import type {
  Assignment,
  Command,
  CommandNode,
  CompoundList,
  Redirection,
  Script,
  Statement,
  TestExpression,
  Word,
} from "unbash";
import { quoted } from "./decode-literal.ts";
import { type Role, type WordPrinting, arithmeticText, readHereText, readWord, wordValue } from "./read-word.ts";

/** Which words go into a simple command besides its own, and before which of these. */
export type AddWords = (
  words: readonly (string | null)[],
) => { readonly at: number; readonly words: readonly string[] } | undefined;

export function printShell(
  script: Script,
  doubts: Pick<WordPrinting, "unread" | "evaluates" | "literal">,
  addTo?: AddWords,
): string {
  const printing: WordPrinting = { ...doubts, script: (inner) => statements(inner.commands) };
  const { unread } = doubts;
  const word = (one: Word, role: Role = "argument"): string => readWord(one, role, printing).text;
  const words = (all: readonly Word[]): string => all.map((one) => word(one)).join(" ");
  const unprinted = (reason: string): string => {
    unread(reason);
    return "";
  };

  const statements = (all: readonly Statement[]): string => all.map(statement).join("\n");
  const list = ({ commands }: CompoundList): string =>
    commands.length > 0 ? statements(commands) : unprinted("a part of it is empty");
  const statement = (one: Statement): string => `${node(one.command)}${one.background ? " &" : ""}`;

  function node(one: Statement["command"]): string {
    if (one.type === "AndOr")
      return one.commands.map((each, n) => `${n > 0 ? ` ${one.operators[n - 1]} ` : ""}${node(each)}`).join("");
    if (one.type !== "Pipeline") return command(one);
    if (one.commands.length === 0) return unprinted("a part of it is empty");
    const prefixes = one.prefixes.map((prefix) =>
      prefix.type === "Negation" ? "! " : `time ${prefix.posix ? "-p " : ""}${prefix.endOfOptions ? "-- " : ""}`,
    );
    const stages = one.commands.map((stage, n) => `${n > 0 ? ` ${one.operators[n - 1]} ` : ""}${command(stage)}`);
    return `${prefixes.join("")}${stages.join("")}`;
  }

  function command(one: CommandNode): string {
    switch (one.type) {
      case "Command":
        return simple(one);
      case "Redirected":
        return [command(one.command), ...one.redirects.map(redirection)].join(" ");
      case "If": {
        const others = one.elif.map((elif) => `elif ${list(elif.clause)}\nthen ${list(elif.then)}\n`).join("");
        return `if ${list(one.clause)}\nthen ${list(one.then)}\n${others}${one.else ? `else ${list(one.else)}\n` : ""}fi`;
      }
      case "For":
        return `for ${variable(one.name.text)}${one.wordlist ? ` in ${words(one.wordlist)}` : ""}\ndo ${list(one.body)}\ndone`;
      case "While":
        return `${one.kind} ${list(one.clause)}\ndo ${list(one.body)}\ndone`;
      case "Subshell":
        return `( ${list(one.body)}\n)`;
      case "BraceGroup":
        return `{ ${list(one.body)}\n}`;
      case "Case": {
        const items = one.items.map(({ pattern, body, terminator }) => {
          const patterns = pattern.map((each) => word(each, "pattern")).join("|");
          return `(${patterns}) ${body.commands.length > 0 ? statements(body.commands) : ""}\n${terminator ?? ";;"}\n`;
        });
        return `case ${word(one.word, "value")} in\n${items.join("")}esac`;
      }
      case "TestCommand":
        return `[[ ${test(one.expression)} ]]`;
      case "ArithmeticCommand": {
        const text = arithmeticText(one.body, printing);
        return text === undefined ? unprinted("it computes in a way that is not plain") : `((${text}))`;
      }
      case "Function":
        if (one.body.type === "CompoundList") return unprinted("it is not sound bash");
        if (!/^[A-Za-z_][\w-]*$/.test(one.name.text))
          return unprinted("it names a function in a way that is not plain");
        return `${one.name.text} () ${command(one.body)}`;
      case "Coproc":
      case "Select":
      case "ArithmeticFor":
        return unprinted(`it uses ${one.type === "ArithmeticFor" ? "a loop that computes" : one.type.toLowerCase()}`);
    }
  }

  function simple({ prefix, name: program, suffix, redirects }: Command): string {
    const before = prefix.flatMap((one) => (one.type === "Assignment" ? [assignment(one)] : []));
    const after = suffix.flatMap((one) =>
      one.type === "Word" ? [word(one)] : one.type === "Assignment" ? [assignedArgument(one)] : [],
    );
    const all = [...(program ? [word(program)] : []), ...after];
    const plain = program ? [program, ...suffix.filter((one) => one.type === "Word")] : [];
    const added = plain.length === all.length ? addTo?.(plain.map(wordValue)) : undefined;
    if (added) all.splice(added.at, 0, ...added.words.map(quoted));
    return [...before, ...all, ...redirects.map(redirection)].join(" ");
  }

  function assignment({ name, append, index, value }: Assignment): string {
    const subscript = index
      ? /^\d+$/.test(index.text)
        ? `[${index.text}]`
        : unprinted("it sets an element of an array")
      : "";
    if (name === "PS4") printing.evaluates();
    const begin = `${variable(name)}${subscript}${append ? "+" : ""}=`;
    if (value.type === "Word") return `${begin}${value.text === "" ? "" : word(value, "value")}`;
    if (value.elements.some(({ text }) => text.startsWith("["))) unread("it sets elements of an array");
    return `${begin}(${words(value.elements)})`;
  }

  /** As `export` and the like take it: one word, whatever is in it. */
  function assignedArgument({ name, append, index, value }: Assignment): string {
    if (index || value.type !== "Word" || value.text.startsWith("~"))
      return unprinted("it sets a variable in a way that is not plain");
    return `${quoted(`${variable(name)}${append ? "+" : ""}=`)}${value.text === "" ? "" : word(value, "value")}`;
  }

  function redirection(one: Redirection): string {
    const { descriptor } = one;
    const fd = descriptor
      ? descriptor.type === "FileDescriptor"
        ? `${descriptor.value}`
        : `{${variable(descriptor.name)}}`
      : "";
    if (one.type === "HereDoc") return `${fd}${hereDocument(one)}`;
    if (!one.target) return unprinted("a redirection in it leads nowhere");
    if (one.type === "HereString") return `${fd}<<< ${word(one.target, "value")}`;
    if (/^[<>]&$/.test(one.operator) && /^\d*-?$/.test(one.target.text))
      return `${fd}${one.operator}${one.target.text}`;
    if (/^[<>]&$/.test(one.operator) && /^[\d-]/.test(one.target.text))
      return unprinted("a redirection in it is not plain");
    // A number before the next sign is a descriptor.
    if (/^\d+$/.test(one.target.text)) return unprinted("a redirection in it leads to a number");
    return `${fd}${one.operator} ${word(one.target)}`;
  }

  function hereDocument({ operator, delimiter, body, closing }: Extract<Redirection, { type: "HereDoc" }>): string {
    if (!delimiter || !closing || !/^(?:[\w.-]+|'[\w.-]+'|"[\w.-]+"|\\[\w.-]+)$/.test(delimiter.text))
      return unprinted("a text in it may end elsewhere");
    const tabs = operator === "<<-";
    if (body.text === "") return "< /dev/null";
    if (!body.text.endsWith("\n")) return unprinted("a text in it may end elsewhere");
    if (delimiter.quoted) {
      const value = (tabs ? body.text.replace(/^\t+/gm, "") : body.text).slice(0, -1);
      printing.literal(value);
      return `<<< ${quoted(value)}`;
    }
    const { type: _type, text, ...at } = body;
    const parts = body.parts ?? [{ type: "Literal", value: text, text, ...at } as const];
    return `<<< ${readHereText(parts, tabs, printing)}`;
  }

  function test(one: TestExpression): string {
    switch (one.type) {
      case "TestUnary":
        if (!/^-[a-zA-Z]$/.test(one.operator)) return unprinted("it tests in a way that is not plain");
        if (/^-[vR]$/.test(one.operator)) printing.evaluates();
        return `${one.operator} ${word(one.operand, "value")}`;
      case "TestBinary": {
        const left = word(one.left, "value");
        if (one.operator.startsWith("-")) printing.evaluates();
        if (one.operator === "=~") return `${left} =~ ${expression(one.right)}`;
        if (!/^(?:==?|!=|<|>|-[a-z]{2})$/.test(one.operator)) return unprinted("it tests in a way that is not plain");
        const isPattern = /^[=!]/.test(one.operator);
        return `${left} ${one.operator} ${word(one.right, isPattern ? "pattern" : "value")}`;
      }
      case "TestLogical":
        return one.operands.map(test).join(` ${one.operator} `);
      case "TestNot":
        return `${"! ".repeat(one.negations.length)}${test(one.operand)}`;
      case "TestGroup":
        return `( ${test(one.expression)} )`;
    }
  }

  /** A regular expression is not to be quoted: only plain signs are taken. */
  function expression({ text }: Word): string {
    const plain = /^(?:[\w^.*+?()|[\]{}:,/@%=-]|\$(?![\w({['"@*#?$!-]))+$/.test(text);
    return plain ? text : unprinted("it compares with an expression that is not plain");
  }

  function variable(text: string): string {
    return /^[A-Za-z_]\w*$/.test(text) ? text : unprinted("it names a variable in a way that is not plain");
  }

  return statements(script.commands);
}
