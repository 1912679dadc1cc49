// The tools that every agent can be given.
import { bash } from "./bash.ts";
import { bashOutput } from "./bash-output.ts";
import type { Tool } from "./define-tool.ts";
import { edit } from "./edit.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { killShell } from "./kill-shell.ts";
import { ls } from "./ls.ts";
import { read } from "./read.ts";
import { todoWrite } from "./todo-write.ts";
import { webFetch } from "./web-fetch.ts";
import { write } from "./write.ts";

export const standardTools: readonly Tool[] = [
  read,
  write,
  edit,
  ls,
  glob,
  grep,
  bash,
  bashOutput,
  killShell,
  todoWrite,
  webFetch,
];
