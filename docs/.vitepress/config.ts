import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { defineConfig } from 'vitepress';
import { CHAPTERS, DOCS } from '../../scripts/docs/chapters.ts';
import { llmsFull, llmsList } from '../../scripts/docs/llms.ts';
import { withoutOutsideLinks } from '../../scripts/docs/outside-links.ts';
import { PUBLIC_ADDRESS } from '../../scripts/docs/public-address.ts';

/** The address of a page on the site, from its path below `docs/`. */
const addressOf = (path: string) => `/${path.replace(/README\.md$/, '').replace(/\.md$/, '.html')}`;

const pageExists = (path: string) => path.startsWith('docs/') && existsSync(join(DOCS, '..', path));

export default defineConfig({
  title: 'Parley',
  description: 'The A2A (Agent2Agent) runtime for TypeScript: host agents, call agents and operate them.',
  lang: 'en',
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
    if (page.relativePath !== 'index.md') return;
    page.frontmatter.sidebar = false;
  },
  buildEnd: ({ outDir }) => {
    writeFileSync(join(outDir, 'llms.txt'), llmsList(addressOf));
    writeFileSync(join(outDir, 'llms-full.txt'), llmsFull());
  },
  vite: { server: { fs: { allow: [dirname(DOCS)] } } },
});
