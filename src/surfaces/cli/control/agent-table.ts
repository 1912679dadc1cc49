// Agents as lines in aligned columns: children stand under their parents.
import { type AgentRow, hasEnded } from "../../../core/agent-rows.ts";
import { oneLine } from "../plain-text.ts";
import type { Paint } from "../plain-view.ts";

type Cell = { readonly text: string; readonly right?: boolean; readonly paint?: (text: string) => string };

export function agentTable(rows: readonly AgentRow[], now: number, paint: Paint): string[] {
  const head = ["AGENT", "STATUS", "WAITS FOR", "TURNS", "CALLS", "COST", "AGE", "ID"];
  const table: Cell[][] = [
    head.map((text, at) => ({ text, right: at >= 3 && at <= 6, paint: paint.dim })),
    ...rows.map((row) => cells(row, now, paint)),
  ];
  const widths = head.map((_, at) => Math.max(...table.map((line) => line[at]?.text.length ?? 0)));
  return table.map((line) =>
    line
      .map(({ text, right, paint: colour = plain }, at) => {
        const room = " ".repeat((widths[at] ?? 0) - text.length);
        return right ? room + colour(text) : colour(text) + (at === line.length - 1 ? "" : room);
      })
      .join("  ")
      .trimEnd(),
  );
}

const plain = (text: string): string => text;

function cells(row: AgentRow, now: number, paint: Paint): Cell[] {
  const depth = row.path.split("::").length - 1;
  const called = row.name === undefined ? "" : ` "${oneLine(row.name, 20)}"`;
  const about = depth === 0 && row.title !== "" ? `  ${oneLine(row.title, 40)}` : "";
  const number = (value: number): Cell => ({ text: String(value), right: true });
  return [
    { text: `${"  ".repeat(depth)}${row.path} ${oneLine(row.agent, 24)}${called}` },
    { text: row.status, paint: colourOf(row, paint) },
    { text: waitText(row, now) },
    number(row.turns),
    number(row.toolCalls),
    { text: row.costUsd === null ? "$ ?" : `$${row.costUsd.toFixed(4)}`, right: true },
    { text: span(now - Date.parse(row.startedAt)), right: true },
    { text: `${row.id}${about}`, paint: paint.dim },
  ];
}

/** Green works, yellow waits for somebody, red ended badly. */
function colourOf(row: AgentRow, paint: Paint): (text: string) => string {
  if (row.status === "running") return paint.green;
  if (!hasEnded(row)) return paint.yellow;
  return row.status === "succeeded" ? paint.dim : paint.red;
}

function waitText({ waitsFor }: AgentRow, now: number): string {
  if (!waitsFor) return "";
  const detail = waitsFor.detail === undefined ? "" : ` (${oneLine(waitsFor.detail, 24)})`;
  return `${waitsFor.for}${detail} ${span(now - waitsFor.since)}`;
}

function span(ms: number): string {
  const s = Math.max(0, Math.floor(ms / 1000));
  if (s < 60) return `${s} s`;
  if (s < 3600) return `${Math.floor(s / 60)} min`;
  return s < 86_400 ? `${Math.floor(s / 3600)} h` : `${Math.floor(s / 86_400)} d`;
}
