// What credentials look like: a table of how tokens begin, and patterns for what stands around the others.

export type TokenShape = { readonly name: string; readonly begins: readonly string[]; readonly rest: string };

const shape = (name: string, begins: string, rest: string): TokenShape => ({ name, begins: begins.split(" "), rest });

/** The more special ones first. */
export const tokens: readonly TokenShape[] = [
  shape("Anthropic key", "sk-ant-", "[\\w-]{20,}"),
  shape("API key", "sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-lf- sk-", "[\\w-]{20,}"),
  shape("Google key", "AIza", "[\\w-]{30,}"),
  shape("Google token", "ya29.", "[\\w-]{20,}"),
  shape("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "[A-Za-z0-9]{30,}"),
  shape("GitHub token", "github_pat_", "\\w{22,}"),
  shape("GitLab token", "glpat- glptt- gldt- glrt- glsoat-", "[\\w-]{20,}"),
  shape("Slack token", "xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd-", "[\\w-]{10,}"),
  shape("Slack token", "xapp-", "[\\w-]{20,}"),
  shape("AWS key id", "AKIA ASIA ABIA ACCA", "[A-Z2-7]{16}(?![A-Za-z0-9])"),
  shape("npm token", "npm_", "[A-Za-z0-9]{36,}"),
  shape("PyPI token", "pypi-AgE", "[\\w-]{40,}"),
  shape("Stripe key", "sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_", "[A-Za-z0-9]{16,}"),
  shape("webhook secret", "whsec_", "[A-Za-z0-9+/]{24,}"),
  shape("Hugging Face token", "hf_", "[A-Za-z0-9]{30,}"),
  shape("API key", "gsk_ xai- pplx- r8_ fw_ csk- nvapi-", "[\\w-]{30,}"),
  shape("SendGrid key", "SG.", "[\\w-]{16,64}\\.[\\w-]{32,}"),
  shape("DigitalOcean token", "dop_v1_ doo_v1_ dor_v1_", "[a-f0-9]{64}"),
  shape("Shopify token", "shpat_ shpca_ shppa_ shpss_", "[a-fA-F0-9]{32}"),
  shape("Docker token", "dckr_pat_ dckr_oat_", "[\\w-]{20,}"),
  shape("Vault token", "hvs. hvb.", "[\\w-]{24,}"),
  shape("Linear key", "lin_api_ lin_oauth_", "[A-Za-z0-9]{32,}"),
  shape("Postman key", "PMAK-", "[a-f0-9]{24}-[a-f0-9]{34}"),
  shape("Databricks token", "dapi", "[a-f0-9]{32}(?![A-Za-z0-9])"),
  shape("age key", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,}"),
  // Three parts, of which the first two are JSON objects in base64.
  shape("JSON Web Token", "eyJ", "[\\w-]{8,}\\.eyJ[\\w-]{8,}\\.[\\w-]{8,}"),
];

export const literal = (text: string): string => text.replace(/[.$+?^{}()|[\]\\/]/g, "\\$&");

/** One group for each shape of the table. No token begins inside a word. */
export const tokenPattern = (): RegExp =>
  new RegExp(
    `(?<![\\w-])(?:${tokens.map(({ begins, rest }) => `((?:${begins.map(literal).join("|")})${rest})`).join("|")})`,
    "g",
  );

export const begins: readonly string[] = [...tokens.flatMap((one) => one.begins)];

/** What stands before the value of a secret, in any case. */
export const words: readonly string[] = (
  "password passwd passphrase pwd secret token apikey api-key api_key accesskey access-key access_key secretkey " +
  "secret-key secret_key accountkey account-key account_key authkey auth-key auth_key encryptionkey encryption-key " +
  "encryption_key signingkey signing-key signing_key credential credentials authorization cookie bearer " +
  "hooks.slack.com/ discord.com/api/ discordapp.com/api/ webhook.office.com/"
).split(" ");

/** A text without any of these (in any case) holds no secret that has a shape. */
export const hints: readonly string[] = [
  ...new Set([
    ...begins.map((one) => literal(one.slice(0, 5))),
    "passw",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "key",
  ]),
  "credential",
  "authorization",
  "cookie",
  "bearer",
  ":\\/\\/",
  "hooks\\.slack",
  "webhook",
  "-----BEGIN",
];

export const PRIVATE_KEY = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
export const KEY_END = /-----END (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** Lines of base64, also as JSON or YAML writes them. */
export const KEY_BODY = /[A-Za-z0-9+/=\s\\:,.@()-]{0,20000}/;
export const ADDRESS = /:\/\/[^\s/:@"'`<>\\]{0,200}:([^\s/@"'`<>\\]{3,200})@/g;
export const WEBHOOK =
  /(?:hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|\.webhook\.office\.com\/webhookb2\/)([\w/@-]{20,300})/g;
export const HEADER =
  /(?:authorization|x-api-key|x-auth-token|private-token|x-goog-api-key)(?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'`])?(?:(?:bearer|basic|token|digest|apikey|negotiate)\s{1,4})?([\w.~+/=-]{8,4000})/gi;
export const BEARER = /(?<!\w)bearer\s{1,4}([\w.~+/=-]{16,4000})/gi;
export const COOKIE =
  /(?<!\w)(?:set-)?cookie2?(?:\\?["'])?\s{0,4}:\s{0,4}(?:\\?["'`])?((?:[\w.-]{1,100}=[^;\s"'`,\\<>]{0,1000};? ?){1,50})/gi;
export const COOKIE_VALUE = /=([^;\s]{8,1000})/g;
export const ASSIGNED =
  /(pass(?:word|wd|phrase)|pwd|secret|token|(?:api|access|secret|account|auth|encryption|signing)[-_]?key|credentials?)(?:\\?["'])?(?:\s{0,8}(?::=|=>|[:=])\s{0,8}|(?<=--[a-z-]{0,20})\s)(?:\\?["'`])?([^\s"'`,;<>(){}[\]\\|&]{6,400})/gi;
