import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { seededRandom } from "../testing/memory/seeded-random.ts";
import { createMask } from "./mask.ts";
import { maskStream } from "./mask-stream.ts";
import { maskShapes } from "./secret-shapes.ts";

const abc = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const chars = (n: number, from = abc): string =>
  Array.from({ length: n }, (_, at) => from[(at * 7 + 3) % from.length]).join("");
const hex = (n: number): string => chars(n, "0123456789abcdef");
const jwt = `eyJ${chars(20)}.eyJ${chars(40)}.${chars(43)}`;
const pem = `-----BEGIN RSA ${"PRIVATE"} KEY-----\n${`${chars(64)}\n`.repeat(6)}-----END RSA ${"PRIVATE"} KEY-----`;

/** The text, and what of it must not be left. */
const secrets: readonly (readonly [text: string, secret: string])[] = [
  ...[
    `sk-ant-api03-${chars(90)}`,
    `sk-proj-${chars(48)}`,
    `sk-${chars(48)}`,
    `AIzaSy${chars(33)}`,
    ...["ghp", "gho", "ghu", "ghs", "ghr"].map((kind) => `${kind}_${chars(36)}`),
    `github_pat_${chars(22)}_${chars(59)}`,
    `glpat-${chars(20)}`,
    ...["a", "b", "p", "r", "s"].map((kind) => `xox${kind}-123456789012-${chars(24)}`),
    `AKIA${chars(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
    `npm_${chars(36)}`,
    `pypi-AgEIcHlwaS5vcmc${chars(60)}`,
    `sk_live_${chars(24)}`,
    `rk_test_${chars(24)}`,
    `whsec_${chars(32)}`,
    `hf_${chars(34)}`,
    `gsk_${chars(52)}`,
    `SG.${chars(22)}.${chars(43)}`,
    `dop_v1_${hex(64)}`,
    `hvs.${chars(24)}`,
    jwt,
  ].map((token) => [token, token] as const),
  [pem, chars(64)],
  [pem.replaceAll("\n", "\\n"), chars(64)],
  ["postgres://app:Tr0ub4dor@db.internal:5432/x", "Tr0ub4dor"],
  ["mongodb+srv://u:hunter2hunter2@c.example.net/", "hunter2hunter2"],
  [`Authorization: Bearer ${chars(40)}`, chars(40)],
  [`"authorization": "Basic dXNlcjpwYXNzd29yZA=="`, "dXNlcjpwYXNzd29yZA=="],
  [`curl -H 'X-Api-Key: ${hex(32)}'`, hex(32)],
  ["Cookie: theme=dark; session=s3cr3tsessionid; x=1", "s3cr3tsessionid"],
  ["Set-Cookie: sid=abcdef0123456789; HttpOnly", "abcdef0123456789"],
  ["password=hunter2", "hunter2"],
  ['"password": "correct-horse-9"', "correct-horse-9"],
  ["DB_PASSWORD: 'p4ssw0rd!'", "p4ssw0rd!"],
  [`aws_secret_access_key = ${chars(40, `${abc}/+`)}`, chars(40, `${abc}/+`)],
  [`client_secret=${hex(40)}`, hex(40)],
  [`--password s3cr3t99`, "s3cr3t99"],
  [`//registry.example/:_authToken=${hex(36)}`, hex(36)],
  [`AccountKey=${chars(86)}==;EndpointSuffix=x`, chars(86)],
  [`https://hooks.slack.com/services/T0000000A/B0000000B/${chars(24)}`, chars(24)],
];

describe("P.X02: what has the shape of a credential is masked", () => {
  test.each(secrets)("%s", (text, secret) => {
    for (const around of [
      text,
      `before ${text} after`,
      `\n${text}\n`,
      `{"a":${JSON.stringify(text)}}`,
      `x=1;${text}`,
    ]) {
      const masked = maskShapes(around);
      expect(masked).not.toContain(secret);
      expect(masked).toMatch(/\[masked [A-Za-z ]+\]/);
      expect(maskShapes(masked)).toBe(masked);
    }
  });

  test("also where it comes in pieces, cut at every place, and the pieces are the whole", () => {
    for (const [text, secret] of secrets) {
      const whole = `it is ${text} and so on\n`;
      // What it is called may depend on how much of what stands before it was seen.
      const unnamed = (masked: string): string => masked.replace(/\[masked [^\]]+\]/g, "[masked]");
      const expected = unnamed(maskShapes(whole));
      for (let at = 1; at < whole.length; at++) {
        const stream = maskStream(createMask());
        const out = stream.push(whole.slice(0, at)) + stream.push(whole.slice(at)) + stream.end();
        expect(unnamed(out), `${text} cut at ${at}`).toBe(expected);
      }
      const stream = maskStream(createMask());
      const single = [...whole].map((char) => stream.push(char)).join("") + stream.end();
      expect(unnamed(single)).toBe(expected);
      expect(single).not.toContain(secret);
    }
  });
});

test.each([
  ["a hash", `commit ${hex(40)} and sha256 ${hex(64)}`],
  ["an id", "agent-019a1b2c-3d4e-7f50-8a9b-0c1d2e3f4a5b"],
  ["a lock file", `"integrity": "sha512-${chars(86)}==", "resolved": "https://host.example/a-1.2.3.tgz"`],
  ["an address without a password", "https://user@host.example:8080/path?token_count=12"],
  ["code", "const token = tokens[0]; password: z.string().min(8), apiKey: process.env.API_KEY2, secret = getSecret2()"],
  [
    "a variable",
    'password=$DB_PASSWORD1 token=${TOKEN_1} curl -H "Authorization: Bearer $TOKEN" postgres://u:${PW}@h/x',
  ],
  ["placeholders", "password=<your-password-1> api_key=your-api-key-1 postgres://user:password@localhost/db"],
  ["words", "sk-learn-and-other-long-package-names the tokenizer: bert-base, maxTokens: 4096, keyboard=qwerty1"],
  ["a public key", "-----BEGIN PUBLIC KEY-----\nMIIB\n-----END PUBLIC KEY-----"],
])("%s stays as it is", (_, text) => {
  expect(maskShapes(text)).toBe(text);
});

test("P.X02: the sources, documents and lock file of this repository hold next to nothing that is masked", () => {
  const root = new URL("../..", import.meta.url).pathname;
  const files = ["src", "docs", "scripts", "bench"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.(ts|mjs|md|json)$/.test(name) && !name.endsWith(".test.ts"))
      .map((name) => join(root, folder, name)),
  );
  const changed = [...files, join(root, "package-lock.json")].filter((file) => {
    const text = readFileSync(file, "utf8");
    return maskShapes(text) !== text;
  });
  expect(changed).toEqual([]);
});

test("P.U03: hostile text of any kind is masked in time that grows with its length", () => {
  const random = seededRandom(7);
  const pieces = [
    "eyJ",
    "eyJ.",
    "sk-",
    "-",
    "a1",
    "://",
    ":",
    "@",
    "password=",
    "token",
    "=",
    "-----BEGIN RSA PRIVATE KEY-----",
    " ",
    "cookie: a=",
    ";",
    "bearer ",
    "authorization: ",
    "\n",
    "--password ",
    "AKIA",
    "'",
    "\\",
  ];
  const time = (length: number, seed: number): number => {
    const from = seed % 3 === 0 ? pieces : [pieces[seed % pieces.length]!, pieces[(seed * 7) % pieces.length]!];
    let text = "";
    while (text.length < length) text += from[Math.floor(random.next() * from.length)]!;
    const began = performance.now();
    maskShapes(text);
    return performance.now() - began;
  };
  for (let seed = 1; seed <= 60; seed++) expect(time(200_000, seed), `seed ${seed}`).toBeLessThan(400);
});
