// What runs that died had left running is ended beside the new one, and told.
import type { Host } from "../../host/host.ts";
import { count } from "../../std/count.ts";

export const sayWhatWasSwept = (host: Pick<Host, "sweep">, say: (line: string) => void): Promise<void> =>
  host.sweep().then(
    (swept) => {
      if (swept.length > 0)
        say(`ended ${count(swept.length, "process", "processes")} that a run that died had left behind`);
    },
    () => {},
  );
