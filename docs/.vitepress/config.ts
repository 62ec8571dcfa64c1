import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { defineConfig } from 'vitepress';
import { CHAPTERS, DOCS } from '../../scripts/docs/chapters.ts';
import { llmsFull, llmsList } from '../../scripts/docs/llms.ts';
import { withoutOutsideLinks } from '../../scripts/docs/outside-links.ts';
import { PUBLIC_ADDRESS } from '../../scripts/docs/public-address.ts';

/** The address of a page on the site, from its path below `docs/`. */
const addressOf = (path: string) => `/${path.replace(/README\.md$/, '').replace(/\.md$/, '.html')}`;

const pageExists = (path: string) => path.startsWith('docs/') && existsSync(join(DOCS, '..', path));

/** A picture of the repository as part of the page: it is found in the site and while one writes, whatever the base address. */
const inline = (path: string) => `data:image/svg+xml;base64,${readFileSync(join(DOCS, '..', path)).toString('base64')}`;

const FRONT = {
  hero: {
    name: 'Parley',
    text: 'The A2A runtime for TypeScript',
    tagline: 'Host agents, call agents and operate them. Tasks are durable, streams resume, every version on one port.',
    image: {
      src: inline('docs/assets/first-agent.svg'),
      alt: 'A terminal: an agent streams a greeting, asks a question, and goes on with the answer',
    },
    actions: [
      { theme: 'brand', text: 'Your first agent', link: '/tutorials/first-agent' },
      { theme: 'alt', text: 'Call an agent', link: '/client' },
    ],
  },
  features: [
    { title: 'Streams that resume', details: 'A client that lost its connection gets exactly the events it missed.' },
    { title: 'Durable tasks', details: 'What a caller was told is on disk. kill -9 loses nothing that was answered.' },
    { title: 'Your framework', details: 'By itself, or in Express, Hono, Fastify, Koa and Next.js.' },
    {
      title: 'Language models',
      details: 'Models of the AI SDK with tools; a crash never pays for a model call twice.',
    },
  ],
};

/** The terminal is wider than the logos that the theme expects, and the list below the front page's cards needs some room. */
const FRONT_STYLE = `
.VPHome .vp-doc h1 { margin-top: 56px; }
.VPHome .VPHero .image { order: 3; margin: 40px 0 0; }
.VPHome .VPHero .image-container { width: 100%; max-width: 620px; height: auto; transform: none; }
.VPHome .VPHero .image-bg { display: none; }
.VPHome .VPHero .image-src { position: static; transform: none; width: 100%; max-width: 620px; max-height: none; border-radius: 12px; }
@media (min-width: 960px) { .VPHome .VPHero .image { align-self: center; margin: 0; } }
`;

export default defineConfig({
  title: 'Parley',
  description: 'The A2A (Agent2Agent) runtime for TypeScript: host agents, call agents and operate them.',
  lang: 'en',
  head: [
    ['link', { rel: 'icon', href: inline('packages/console/public/icon.svg') }],
    ['style', {}, FRONT_STYLE],
  ],
  rewrites: { 'README.md': 'index.md', ':folder/README.md': ':folder/index.md' },
  lastUpdated: false,
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Start', link: '/tutorials/first-agent' },
      { text: 'Guides', link: '/guides/agents' },
      { text: 'Run a server', link: '/hosting' },
      { text: 'Protocol', link: '/protocol/protocols' },
    ],
    sidebar: CHAPTERS.map(({ title, pages }, index) => ({
      text: title,
      collapsed: index > 3,
      items: pages.map(({ path, label }) => ({ text: label, link: addressOf(path) })),
    })),
    ...(PUBLIC_ADDRESS === ''
      ? {}
      : {
          editLink: { pattern: `${PUBLIC_ADDRESS}/edit/main/docs/:path`, text: 'Edit this page' },
          socialLinks: [{ icon: 'github' as const, link: PUBLIC_ADDRESS }],
        }),
  },
  markdown: {
    languageAlias: { sse: 'http', caddy: 'nginx' },
    // Links are read as the repository has them, so those that leave the documents are settled before rendering.
    config: (markdown) => {
      const render = markdown.render.bind(markdown);
      markdown.render = (source, environment: { readonly path?: string } = {}) => {
        const page = posix.join('docs', (environment.path ?? '').slice(DOCS.length + 1));
        return render(withoutOutsideLinks(page, source, pageExists), environment);
      };
    },
  },
  transformPageData: (page) => {
    // The first page has a front of its own on the site; in the repository it is a plain list.
    if (page.relativePath === 'index.md') Object.assign(page.frontmatter, { layout: 'home', ...FRONT });
  },
  buildEnd: ({ outDir }) => {
    writeFileSync(join(outDir, 'llms.txt'), llmsList(addressOf));
    writeFileSync(join(outDir, 'llms-full.txt'), llmsFull());
  },
  vite: { build: { chunkSizeWarningLimit: 4_000 }, server: { fs: { allow: [dirname(DOCS)] } } },
});
