// For which commands a grant may leave open what follows, and what may follow then. A table.

export type OpenUse = {
  /** The words that the grant keeps. */
  readonly words: readonly string[];
  /** How many of the words right after them are text, whatever they say: the message of a commit. */
  readonly texts?: number;
  /** Options that run nothing, read nothing, write nothing, and whose presence does not matter. `--name=` takes a word. */
  readonly options?: readonly string[];
  /** Options whose next word is text. */
  readonly textOptions?: readonly string[];
  /** `--` may stand among them. */
  readonly dashes?: true;
};

const CARGO = [
  ...["-q", "--quiet", "-v", "--verbose", "--release", "--workspace", "--all-features", "--all-targets"],
  ...["--lib", "--bins", "--tests", "--no-run", "--locked", "--offline", "--frozen"],
];
const COMMIT = { texts: 1, options: ["-q", "--quiet"], textOptions: ["-m"] } as const;

export const OPEN_USES: readonly OpenUse[] = [
  { words: ["git", "add"], options: ["-v", "--verbose", "-n", "--dry-run"] },
  { words: ["git", "commit", "-m"], ...COMMIT },
  { words: ["git", "commit", "-am"], ...COMMIT },
  { words: ["npm", "test"], dashes: true },
  { words: ["pnpm", "test"], dashes: true },
  { words: ["yarn", "test"], dashes: true },
  { words: ["cargo", "test"], options: CARGO },
  { words: ["cargo", "check"], options: CARGO },
  { words: ["cargo", "build"], options: CARGO },
  { words: ["cargo", "clippy"], options: CARGO },
  {
    words: ["go", "test"],
    options: ["-v", "-race", "-short", "-cover", "-failfast", "-run=", "-count=", "-timeout="],
  },
  { words: ["go", "build"], options: ["-v", "-race"] },
  { words: ["go", "vet"], options: ["-v"] },
  {
    words: ["pytest"],
    options: [
      ...["-q", "--quiet", "-v", "-vv", "--verbose", "-x", "--exitfirst", "--lf", "--last-failed", "--ff"],
      ...["--tb=", "--maxfail=", "--durations="],
    ],
  },
  { words: ["tsc", "--noEmit"], options: ["--pretty", "--strict", "--skipLibCheck"] },
  { words: ["eslint"], options: ["--quiet", "--no-color", "--max-warnings="] },
  { words: ["prettier", "--check"], options: ["--no-color"] },
  { words: ["prettier", "--write"], options: ["--no-color"] },
  { words: ["mypy"], options: ["--strict", "--pretty", "--show-error-codes", "--no-error-summary"] },
  { words: ["ruff", "check"], options: ["-q", "--quiet", "-v", "--verbose", "--diff"] },
  { words: ["ruff", "format"], options: ["-q", "--quiet", "-v", "--verbose", "--diff", "--check"] },
];

/** Programs whose first operand says what they do: a grant that leaves it open would allow everything they can do. */
export const WITH_SUBCOMMANDS: ReadonlySet<string> = new Set([
  ...["git", "gh", "glab", "hg", "svn", "jj", "npm", "pnpm", "yarn", "bun", "corepack", "volta", "nvm", "nx", "turbo"],
  ...["cargo", "rustup", "go", "uv", "pip", "pip3", "pipx", "poetry", "pdm", "hatch", "rye", "conda", "mamba", "tox"],
  ...["bundle", "gem", "rake", "rails", "composer", "artisan", "mix", "rebar3", "swift", "xcodebuild", "flutter"],
  ...["dart", "dotnet", "nuget", "mvn", "gradle", "gradlew", "sbt", "lein", "stack", "cabal", "nix", "brew", "port"],
  ...["apt", "apt-get", "dnf", "yum", "pacman", "apk", "snap", "flatpak", "systemctl", "service", "launchctl"],
  ...["terraform", "tofu", "pulumi", "helm", "aws", "gcloud", "az", "heroku", "fly", "flyctl", "vercel", "netlify"],
  ...["firebase", "supabase", "wrangler", "ip", "tc", "nmcli", "openssl", "gpg", "ffmpeg", "busybox", "just", "task"],
]);
