// Character references of HTML: the numeric ones, and the named ones that pages really use.
const NAMED: Readonly<Record<string, string>> = {
  amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", copy: "©", reg: "®", trade: "™", hellip: "…", mdash: "—",
  ndash: "–", lsquo: "‘", rsquo: "’", ldquo: "“", rdquo: "”", laquo: "«", raquo: "»", bull: "•", middot: "·", times: "×",
  larr: "←", rarr: "→", uarr: "↑", darr: "↓", deg: "°", plusmn: "±", frac12: "½", eacute: "é", egrave: "è", agrave: "à",
  uuml: "ü", ouml: "ö", auml: "ä", Uuml: "Ü", Ouml: "Ö", Auml: "Ä", szlig: "ß", ccedil: "ç", ntilde: "ñ", euro: "€",
  pound: "£", sect: "§", para: "¶", zwnj: "", zwj: "", shy: "", ensp: " ", emsp: " ", thinsp: " ", lbrace: "{", rbrace: "}",
};

export const decodeEntities = (text: string): string =>
  text.replace(/&(#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[a-zA-Z][a-zA-Z0-9]{1,15});/g, (whole, name: string) => {
    if (!name.startsWith("#")) return NAMED[name] ?? whole;
    const code = /^#[xX]/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : "\uFFFD";
  });
