// Doubts about one node of a command: whatever is not known to be harmless in itself.
import type { ParameterExpansionPart, SyntaxNode } from "unbash";

/** Nodes that are understood here, and hold nothing that runs but their children. */
const PLAIN: ReadonlySet<string> = new Set([
  ...["Script", "Statement", "CompoundList", "AndOr", "Pipeline", "Negation", "Time", "Command", "Word", "Literal"],
  ...["SingleQuoted", "DoubleQuoted", "AnsiCQuoted", "CommandExpansion", "ProcessSubstitution", "Assignment"],
  ...["If", "Elif", "While", "Subshell", "BraceGroup", "Case", "CaseItem", "Redirected", "Glob", "BraceExpansion"],
  ...["Redirect", "HereDoc", "HereDocBody", "HereDocDelimiter", "HereString", "FileDescriptor", "SimpleExpansion"],
  ...["Default", "Remove", "Replace", "TestCommand", "TestLogical", "TestNot", "TestGroup"],
]);

/**
 * A loop sets its variable, and where that is exported already every program gets it. No program listens to a name of
 * three letters at most, or to one of these.
 */
const LOOP_NAME =
  /^([a-z][a-z0-9]{0,2}|file|files|name|item|line|word|dir|test|pkg|module|branch|commit|version|entry|index|value)$/;

export function doubtAbout(node: SyntaxNode): string | undefined {
  if (node.type === "Script" && (node.errors?.length ?? 0) > 0) return "it is not sound bash";
  if (node.type === "ParameterExpansion") return doubtAboutParameter(node);
  if (node.type === "For")
    return LOOP_NAME.test(node.name.text) ? undefined : `it sets ${node.name.text}, which programs may listen to`;
  // Comparisons of numbers evaluate what they are given, which can run commands.
  if (node.type === "TestBinary") return node.operator.startsWith("-") ? "it compares numbers in [[ ]]" : undefined;
  if (node.type === "TestUnary") return /^-[vRN]$/.test(node.operator) ? "it asks for a variable in [[ ]]" : undefined;
  return PLAIN.has(node.type) ? undefined : `it uses ${describe(node.type)}`;
}

function doubtAboutParameter({ prefix, index, operation }: ParameterExpansionPart): string | undefined {
  if (prefix === "!") return "it reads a variable by another's name";
  if (index) return "it reads an element of an array";
  if (operation && !PLAIN.has(operation.type)) return "it changes a variable's value in a way that may run commands";
  if (operation?.type === "Default" && operation.operator.includes("=")) return "it sets a variable";
  return undefined;
}

/** `ArithmeticExpansion` as words. */
const describe = (type: string): string => type.replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`).toLowerCase();
