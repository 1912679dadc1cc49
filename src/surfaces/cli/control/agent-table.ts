// Agents as lines in aligned columns: children stand under their parents.
import { type AgentRow, hasEnded } from "../../../core/agent-rows.ts";
import { type Cell, type Column, fitTable } from "../fit-table.ts";
import { oneLine } from "../plain-text.ts";
import type { Paint } from "../plain-view.ts";

export type TableView = {
  readonly now: number;
  readonly paint: Paint;
  /** Undefined: nothing is cut. */
  readonly width: number | undefined;
  /** What a person types to mean this agent. */
  idOf(row: AgentRow): string;
  /** Text of others as it may be shown: colours come after it. */
  readonly clean: (text: string) => string;
};

const COLUMNS: readonly Column[] = [
  { head: "AGENT" },
  { head: "STATUS" },
  { head: "WAITS FOR", least: 8, goes: 5 },
  { head: "TURNS", right: true, goes: 1 },
  { head: "CALLS", right: true, goes: 0 },
  { head: "COST", right: true, goes: 2 },
  { head: "AGE", right: true, goes: 3 },
  { head: "ID", whole: true },
  { head: "ABOUT", least: 12, goes: 4 },
];

export function agentTable(rows: readonly AgentRow[], view: TableView): string[] {
  const head = COLUMNS.map(({ head: text }) => ({ text, paint: view.paint.dim }));
  const body = rows.map((row) => cells(row, view).map((cell) => ({ ...cell, text: view.clean(cell.text) })));
  return fitTable(COLUMNS, [head, ...body], view.width);
}

function cells(row: AgentRow, { now, paint, idOf }: TableView): Cell[] {
  const depth = row.path.split("::").length - 1;
  const called = row.name === undefined ? "" : ` "${oneLine(row.name, 20)}"`;
  return [
    { text: `${"  ".repeat(depth)}${row.path} ${oneLine(row.agent, 24)}${called}` },
    { text: `${row.status}${row.background && !hasEnded(row) ? ", bg" : ""}`, paint: colourOf(row, paint) },
    { text: waitText(row, now) },
    { text: String(row.turns) },
    { text: String(row.toolCalls) },
    { text: row.costUsd === null ? "$ ?" : `$${row.costUsd.toFixed(4)}` },
    { text: span(now - Date.parse(row.startedAt)) },
    { text: idOf(row), paint: paint.dim },
    { text: row.title.replace(/\s+/g, " ").trim(), paint: paint.dim },
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
