// The programs that run other programs, as tables: which of them may be looked through, and which only make rules that
// deny look at their words.
import type { ShellPart } from "./shell-reading.ts";

export type PlainWrapper = { readonly options: RegExp; readonly operands: number };

/** They do nothing but run the rest of their words; the pattern says which options they may have, the number how many operands. */
export const PLAIN_WRAPPERS: Readonly<Record<string, PlainWrapper>> = {
  timeout: {
    options: /^(-k\d+\w?|--kill-after=\d+\w?|-s[A-Z]+|--signal=[A-Z]+|--preserve-status|--foreground|-v|--verbose)$/,
    operands: 1,
  },
  nice: { options: /^(-n-?\d+|-\d+|--adjustment=-?\d+)$/, operands: 0 },
  nohup: { options: /^$/, operands: 0 },
  setsid: { options: /^(-w|--wait|-f|--fork|-c|--ctty)$/, operands: 0 },
  stdbuf: { options: /^-[ioe](L|0|\d+[KMG]?)$/, operands: 0 },
  ionice: { options: /^(-c\d|-n\d|-t)$/, operands: 0 },
  time: { options: /^-[pv]+$/, operands: 0 },
  command: { options: /^-p$/, operands: 0 },
  builtin: { options: /^$/, operands: 0 },
  env: { options: /^$/, operands: 0 },
};

export const SHELLS: ReadonlySet<string> = new Set([
  ...["sh", "bash", "rbash", "dash", "zsh", "ksh", "mksh", "ash", "fish", "tcsh", "csh"],
]);

export const OTHER_WRAPPERS: ReadonlySet<string> = new Set([
  ...["sudo", "doas", "su", "runuser", "watch", "parallel", "exec", "busybox", "toybox", "ssh", "chroot", "sg"],
  ...["unshare", "nsenter", "setpriv", "strace", "ltrace", "gdb", "script", "flock", "chrt", "taskset", "systemd-run"],
  ...["docker", "podman", "kubectl", "npx", "pnpx", "bunx", "uvx", "entr", "rlwrap", "unbuffer", "proot", "fakeroot"],
  ...["dbus-run-session", "screen", "tmux", "at", "batch", "crontab", "start-stop-daemon", "bwrap", "firejail"],
  ...["faketime", "prlimit", "choom", "setarch", "linux32", "linux64", "i386", "x86_64", "capsh", "catchsegv"],
]);

/** What xargs runs, with a word that it reads at the end or in place of a sign; undefined: an option is not known. */
export function xargsCommand(words: ShellPart["words"]): ShellPart["words"] | undefined {
  let sign: string | undefined;
  let at = 1;
  for (; at < words.length; at++) {
    const word = words[at];
    if (word === null || word === undefined) return undefined;
    if (!word.startsWith("-")) break;
    if (/^-[IndLPs]$/.test(word)) {
      if (word === "-I") sign = words[at + 1] ?? undefined;
      at++;
    } else if (word.startsWith("-I")) sign = word.slice(2);
    else if (!/^(-[0rtx]+|-[ndLPs].+|--null|--no-run-if-empty|--verbose|--max-(args|procs|lines)=\d+)$/.test(word))
      return undefined;
  }
  const run = words.slice(at);
  if (run.length === 0) return ["echo", null];
  const replaced = sign;
  return replaced === undefined ? [...run, null] : run.map((word) => (word?.includes(replaced) ? null : word));
}
