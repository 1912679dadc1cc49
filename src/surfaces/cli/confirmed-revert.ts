// Asks the person before files are taken back: which they are, and how each stands now.
import { type ChangedFile, type Changes, type RevertWish, chooseChanged } from "../../host/changes.ts";
import { count } from "../../std/count.ts";
import { confirmed } from "./conversation/confirmed.ts";
import { UsageError } from "./usage-error.ts";

/** True also where there is nothing to ask about: nothing would change, or what stands in the way is told anyway. */
export async function confirmedRevert(
  changes: Changes,
  wish: RevertWish,
  text: (file: ChangedFile) => string,
): Promise<boolean> {
  const files = chooseChanged(changes, wish).filter(({ state }) => state !== "as before");
  const inTheWay = files.some(({ state, mixed }) => state !== "as left" || mixed);
  if (files.length === 0 || (inTheWay && !wish.force)) return true;
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new UsageError(
      `sous changes revert would take back ${count(files.length, "file")} of ${changes.session}: say --yes (sous changes show ${changes.session} shows them)`,
    );
  return confirmed({
    text: [`${count(files.length, "file")} of ${changes.session}:`, ...files.map((file) => `  ${text(file)}`)].join(
      "\n",
    ),
    label: "Take them back? y = yes, n = no: ",
  });
}
