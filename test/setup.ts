// Runs before each test file: no test may see or touch the person's own files, keys or settings.
import { mkdirSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const home = mkdtempSync(join(tmpdir(), "home-"));
const folders = {
  HOME: home,
  XDG_CONFIG_HOME: join(home, ".config"),
  XDG_STATE_HOME: join(home, ".local", "state"),
  XDG_DATA_HOME: join(home, ".local", "share"),
  XDG_CACHE_HOME: join(home, ".cache"),
  XDG_RUNTIME_DIR: join(home, "run"),
};
for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });

for (const name of Object.keys(process.env)) {
  const isProvider = /^(ANTHROPIC|OPENAI|GOOGLE|GEMINI|AZURE_OPENAI|OPENROUTER|MISTRAL|GROQ|XAI|DEEPSEEK)_/.test(name);
  if (isProvider || /^(SOUS|GIT)_/.test(name) || name === "NO_COLOR" || name === "FORCE_COLOR")
    delete process.env[name];
}
Object.assign(process.env, folders, {
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_AUTHOR_NAME: "Test",
  GIT_AUTHOR_EMAIL: "test@example.com",
  GIT_COMMITTER_NAME: "Test",
  GIT_COMMITTER_EMAIL: "test@example.com",
});
