// A session's settings after the person has changed some of them. Pure.
import type { DurableEvent, SessionOpened } from "./events.ts";

export function withSettings(
  opened: SessionOpened,
  { model, permissions }: Extract<DurableEvent, { type: "settings.changed" }>,
): SessionOpened {
  return {
    ...opened,
    ...(model !== undefined && { model }),
    permissions: { ...opened.permissions, ...permissions },
  };
}
