// Options that run code, write elsewhere or read files, as the programs' manuals and --help list them; for tests.
export const DANGEROUS: readonly { readonly call: string; readonly options: readonly string[] }[] = [
  {
    call: "git add a.txt",
    options: [
      ...[
        "--pathspec-from-file=/etc/passwd",
        "--pathspec-from-file /etc/passwd",
        "--pathspec-file-nul",
        "-e",
        "--edit",
      ],
      ...["-p", "--patch", "-i", "--interactive", "--chmod=+x", "-f", "--force", "--renormalize", "-A", "--all", "-u"],
      ...["--intent-to-add", "-N", "--refresh", "--sparse", "--ignore-errors"],
    ],
  },
  {
    call: "git commit -m words",
    options: [
      ...["-F /etc/passwd", "--file=/etc/passwd", "-t /etc/passwd", "--template=/etc/passwd", "-e", "--edit"],
      ...["--pathspec-from-file=/etc/passwd", "-S", "--gpg-sign=key", "-n", "--no-verify", "--amend", "-C HEAD"],
      ...["-c HEAD", "--reuse-message=HEAD", "--reedit-message=HEAD", "--author=x", "--date=now", "-p", "--patch"],
      ...["--interactive", "--trailer=x", "--allow-empty", "-a", "--all", "--fixup=HEAD", "--squash=HEAD", "--no-edit"],
    ],
  },
  {
    call: "npm test a.test.ts",
    options: [
      ...[
        "--script-shell=/tmp/sh",
        "--node-options=--require=/tmp/x.js",
        "--prefix=/tmp",
        "-C /tmp",
        "--ignore-scripts",
      ],
      ...["--userconfig=/tmp/rc", "--globalconfig=/tmp/rc", "--workspace=x", "-w x", "--ws", "--foreground-scripts"],
      ...["-- --config=/tmp/evil.js", "-- --globalSetup /tmp/x.js", "-- -c /tmp/x.js", "-- --reporter=/tmp/r.js"],
    ],
  },
  {
    call: "pnpm test a.test.ts",
    options: ["--dir=/tmp", "-C /tmp", "--script-shell=/tmp/sh", "--shell-mode", "-- --config /tmp/x.js", "-r"],
  },
  {
    call: "yarn test a.test.ts",
    options: ["--cwd=/tmp", "--use-yarnrc=/tmp/rc", "--config /tmp/x.js", "-c /tmp/x.js"],
  },
  {
    call: "cargo test name",
    options: [
      ...[
        "--config=build.rustc-wrapper=x",
        "--config x.toml",
        "--manifest-path=/tmp/Cargo.toml",
        "-Zunstable",
        "-C /tmp",
      ],
      ...["--target-dir=/tmp", "--artifact-dir=/tmp", "--profile=x", "-- --logfile=/tmp/x", "--fix", "--out-dir /tmp"],
    ],
  },
  {
    call: "cargo check name",
    options: ["--config=x", "--manifest-path /tmp/x", "--target-dir=/tmp", "--message-format=x"],
  },
  { call: "cargo build name", options: ["--config=x", "--manifest-path /tmp/x", "--out-dir=/tmp", "--build-plan"] },
  { call: "cargo clippy name", options: ["--config=x", "--fix", "--allow-dirty", "--manifest-path=/tmp/x", "-- -W x"] },
  {
    call: "go test ./...",
    options: [
      ...["-exec=/tmp/x", "-exec /tmp/x", "-toolexec=/tmp/x", "--toolexec=/tmp/x", "-o=/tmp/x", "-c", "-C=/tmp"],
      ...["-coverprofile=/tmp/x", "-cpuprofile=/tmp/x", "-memprofile /tmp/x", "-trace=/tmp/x", "-outputdir=/tmp"],
      ...["-overlay=/tmp/x.json", "-modfile=/tmp/go.mod", "-ldflags=-X", "-gcflags=x", "-asmflags=x", "-vet=x"],
      ...["-vettool=/tmp/x", "-pkgdir=/tmp", "-fuzz=.", "-args x", "-json", "-blockprofile=/tmp/x", "-mutexprofile=/x"],
    ],
  },
  {
    call: "go build ./...",
    options: ["-o /tmp/x", "-toolexec=/tmp/x", "-overlay=x", "-modfile=x", "-ldflags=x", "-C /tmp"],
  },
  { call: "go vet ./...", options: ["-vettool=/tmp/x", "-toolexec=/tmp/x", "-overlay=x", "-modfile=x", "-C=/tmp"] },
  {
    call: "pytest tests",
    options: [
      ...["-p evil", "-pevil", "-c /tmp/x.ini", "--config-file=/tmp/x", "--rootdir=/tmp", "-o python_files=x"],
      ...["--override-ini=x=y", "--basetemp=/tmp", "--junitxml=/tmp/x", "--junit-xml=/tmp/x", "--log-file=/tmp/x"],
      ...["--pdbcls=os:system", "--pdb", "--trace", "--confcutdir=/tmp", "--import-mode=importlib", "--debug=/tmp/x"],
      ...["--pastebin=all", "--pyargs os", "--cache-clear", "--noconftest", "-W x", "--pythonwarnings=x", "--tb=../x"],
    ],
  },
  {
    call: "tsc --noEmit a.ts",
    options: [
      ...["-p /tmp", "--project /tmp", "--outDir /tmp", "--outFile=/tmp/x", "--declarationDir /tmp", "-b", "--build"],
      ...[
        "--tsBuildInfoFile /tmp/x",
        "--generateTrace /tmp",
        "--generateCpuProfile /tmp/x",
        "--noEmit false",
        "--init",
      ],
      ...["-w", "--watch", "--plugins x", "--typeRoots /tmp", "--rootDir /tmp", "--baseUrl /tmp"],
    ],
  },
  {
    call: "eslint src",
    options: [
      ...["-c /tmp/x.js", "--config=/tmp/x.js", "--rulesdir /tmp", "--plugin evil", "--parser=/tmp/x.js", "--fix"],
      ...["-f /tmp/x.js", "--format=/tmp/x.js", "-o /tmp/x", "--output-file=/tmp/x", "--cache-location=/tmp"],
      ...["--resolve-plugins-relative-to=/tmp", "--ignore-path=/tmp/x", "--init", "--cache", "--fix-type=x", "--stdin"],
    ],
  },
  {
    call: "prettier --check src",
    options: [
      ...[
        "--config=/tmp/x.js",
        "--config /tmp/x.js",
        "--plugin=/tmp/x.js",
        "--plugin-search-dir=/tmp",
        "--write",
        "-w",
      ],
      ...["--ignore-path=/tmp/x", "--cache-location=/tmp", "--find-config-path x", "--with-node-modules", "--cache"],
    ],
  },
  {
    call: "prettier --write src",
    options: ["--config=/tmp/x.js", "--plugin=/tmp/x.js", "--ignore-path /tmp/x", "--parser=x"],
  },
  {
    call: "mypy src",
    options: [
      ...[
        "--config-file=/tmp/x",
        "--python-executable=/tmp/x",
        "--junit-xml=/tmp/x",
        "--cache-dir=/tmp",
        "-m os",
        "-p os",
      ],
      ...[
        "--html-report=/tmp",
        "--install-types",
        "--non-interactive",
        "--custom-typeshed-dir=/tmp",
        "-c x",
        "--command=x",
      ],
      ...["--linecount-report /tmp", "--shadow-file a b", "--pdb", "--package-root=/tmp"],
    ],
  },
  {
    call: "ruff check src",
    options: [
      "--config=/tmp/x",
      "--output-file=/tmp/x",
      "-o /tmp/x",
      "--cache-dir=/tmp",
      "--fix",
      "--unsafe-fixes",
      "--add-noqa",
    ],
  },
  {
    call: "ruff format src",
    options: ["--config=/tmp/x", "--cache-dir=/tmp", "--stdin-filename=x", "--isolated", "--range=1"],
  },
];
