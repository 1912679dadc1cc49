// `sous sessions export ID`: to standard output, or to a file.
import { EXPORT_FORMATS, type ExportFormat, exportSession, saveExport } from "../../host/export.ts";
import { findAddress } from "../../host/control/find-address.ts";
import type { Scope } from "../../host/project-scope.ts";
import type { Output } from "./output.ts";
import { plainText } from "./plain-text.ts";
import { UsageError } from "./usage-error.ts";

export type ExportWishes = {
  readonly id: string;
  readonly scope: Scope;
  readonly format: ExportFormat | undefined;
  readonly file: string | undefined;
};

export async function exportOne(
  stateDir: string,
  wishes: ExportWishes,
  mask: (text: string) => string,
  output: Output,
  errors: Output,
): Promise<void> {
  const format = wishes.format ?? formatOf(wishes.file);
  if (!format) throw new UsageError(`sous sessions export needs --format: ${EXPORT_FORMATS.join(", ")}`);
  const { tree, path } = await findAddress(stateDir, wishes.id, wishes.scope);
  const { text, notices } = await exportSession(stateDir, tree, format, path);
  for (const notice of notices) errors.line(`sous: ${plainText(notice)}`);
  const shown = mask(text);
  await errors.drained();
  if (wishes.file === undefined) return output.prepared(shown.replace(/\n$/, ""));
  saveExport(wishes.file, shown);
  errors.line(`sous: wrote ${plainText(wishes.file)}`);
}

function formatOf(file: string | undefined): ExportFormat | undefined {
  if (file?.endsWith(".md")) return "md";
  return file?.endsWith(".jsonl") ? "jsonl" : undefined;
}
