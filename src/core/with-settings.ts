// A session's settings after the person has changed some of them. Pure.
import type { DurableEvent, SessionOpened } from "./events.ts";

export function withSettings(
  opened: SessionOpened,
  { model, permissions, exit }: Extract<DurableEvent, { type: "settings.changed" }>,
): SessionOpened {
  return {
    ...opened,
    ...(model !== undefined && { model }),
    ...(exit && { exit: { ...opened.exit, ...exit } }),
    permissions: { ...opened.permissions, ...permissions },
  };
}
