import { type Html, html } from './html.ts';

const STYLE = `
:root { color-scheme: light dark; --a: #1a5fb4; --b: #9a3412; --paper: #fff; --ground: #f4f4f2; --ink: #1c1c1a; --line: #d6d5d0; }
@media (prefers-color-scheme: dark) {
  :root { --a: #8ab8f5; --b: #f5b58a; --paper: #232321; --ground: #171715; --ink: #ecebe6; --line: #42413c; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 4rem; max-width: 46rem; background: var(--ground); color: var(--ink);
  font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; }
a { color: var(--a); }
.a b { color: var(--a); } .b b { color: var(--b); }
[role='status'] { position: sticky; top: 0; padding: .6rem .9rem; background: var(--paper); border: 1px solid var(--line);
  border-radius: .6rem; display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; }
#connection { min-height: 1.5em; font-size: .85rem; }
ol, ul { list-style: none; margin: 1rem 0; padding: 0; }
li { display: flex; margin: .6rem 0; }
li.b { justify-content: flex-end; }
article, ul li { background: var(--paper); border: 1px solid var(--line); border-radius: .6rem; padding: .5rem .9rem; }
article { max-width: 85%; min-width: 8rem; }
li.a article { border-left: 4px solid var(--a); } li.b article { border-right: 4px solid var(--b); }
article p { margin: .2rem 0; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { margin: .3rem 0; max-height: 20rem; overflow: auto; font-size: .85rem; }
ul li { flex-wrap: wrap; gap: .2rem 1rem; overflow-wrap: anywhere; }
.file, small { opacity: .75; }
`;

/** A whole page without anything from elsewhere. What it runs and how it looks carries a number that is used once. */
export function page(title: string, body: Html, script = ''): Response {
  const nonce = crypto.randomUUID();
  const { markup } = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><link rel="icon" href="data:,"><style nonce="${nonce}">${{ markup: STYLE }}</style></head>
<body>${body}${script === '' ? [] : html`<script nonce="${nonce}">${{ markup: script }}</script>`}</body></html>
`;
  return new Response(markup, { headers: pageHeaders(nonce) });
}

function pageHeaders(nonce: string): Record<string, string> {
  const own = `'nonce-${nonce}'`;
  const policy = ["default-src 'none'", `style-src ${own}`, `script-src ${own}`, "connect-src 'self'", 'img-src data:'];
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': [...policy, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join(
      '; ',
    ),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  };
}
