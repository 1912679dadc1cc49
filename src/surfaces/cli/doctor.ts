// `sous doctor`: what is found, what is missing, what to do.
import { examine, type Finding } from "../../host/doctor.ts";
import { knownMask } from "../../host/known-mask.ts";
import { type FlagTable, readFlags } from "./flags.ts";
import { flagLines } from "./help.ts";
import { createOutput } from "./output.ts";
import { plainJson } from "./plain-text.ts";

export const doctorFlags = {
  json: { help: "for programs" },
  cwd: { takes: "text", value: "DIR", help: "look at this folder" },
  "state-dir": { takes: "text", value: "DIR", help: "where sessions are kept" },
  config: { takes: "text", value: "FILE", help: "read this configuration" },
  help: { short: "h", help: "this text" },
} as const satisfies FlagTable;

const help = `sous doctor [flags]: what is found, what is missing, what to do

Keys are named, never shown. Model servers on this machine are asked whether they are there, and only here. Nothing of a
folder that is not trusted is executed or obeyed.
exit codes: 0 Sous can be used, 1 something it needs is broken

${flagLines(doctorFlags)}

examples
  sous doctor
  sous doctor --json`;

const SIGNS = { ok: "✓", note: "•", missing: "-", broken: "✗" } as const;

export async function doctor(words: readonly string[]): Promise<number> {
  const { flags } = readFlags("doctor", doctorFlags, words);
  const output = createOutput(1);
  const mask = knownMask(process.env).text;
  let code = 0;
  if (flags.help) output.line(help);
  else {
    const { usable, findings } = await examine({
      env: process.env,
      cwd: flags.cwd ?? process.cwd(),
      ...(flags["state-dir"] && { stateDir: flags["state-dir"] }),
      ...(flags.config && { configFile: flags.config }),
    });
    if (flags.json) output.line(mask(plainJson({ usable, findings })));
    else for (const finding of findings) output.line(mask(lineOf(finding)));
    code = usable ? 0 : 1;
  }
  await output.drained();
  return code;
}

const lineOf = ({ check, is, says, todo }: Finding): string =>
  `${SIGNS[is]} ${check.padEnd(10)} ${says}${todo ? `\n  ${" ".repeat(10)} → ${todo}` : ""}`;
