import { join, resolve } from 'node:path';
import { readPage, writeAssistantFiles } from '../../scripts/assistants/assistants.ts';
import { slugOf } from '../../scripts/check/documents.ts';
import { adaptMarkdown } from './adapt-markdown.ts';
import { pathOnSite, sidebarParts, unlistedDocuments } from './pages.ts';
import { localSearch } from './search.ts';

// VitePress runs in site/, and bundles this file elsewhere before it reads it.
const site = process.cwd();
const top = resolve(site, '..');

const unlisted = unlistedDocuments(top);
if (unlisted.length > 0)
  throw new Error(`No reader would find ${unlisted.join(', ')}: name it in pages.ts.`);

const icon = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect y="7" width="32" height="18" rx="7" fill="#12804f"/><path d="m10 16 4 4 8-8" fill="none" stroke="#fff" stroke-width="3"/></svg>',
)}`;

export default {
  title: 'pay-button',
  description: 'A checkout kit for a hosted payment gateway: a button, a router and a sandbox.',
  lang: 'en',
  srcDir: top,
  outDir: join(site, 'dist'),
  cacheDir: join(site, '.cache'),
  srcExclude: ['**/node_modules/**', '**/dist/**', '**/CHANGELOG.md', 'packages/*/skills/**'],
  rewrites: pathOnSite,
  cleanUrls: true,
  metaChunk: true,
  // A style sheet that delays the page needs no word that it is wanted early.
  transformHtml: (page: string) =>
    page.replaceAll('rel="preload stylesheet"', 'rel="stylesheet"').replaceAll(' as="style"', ''),
  buildEnd: ({ outDir }: { readonly outDir: string }) => writeAssistantFiles(top, outDir),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
  markdown: {
    // The usual pair of themes is too faint on the grey of a block.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    // GitHub's anchors, so that a link works in both places.
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: adaptMarkdown,
  },
  themeConfig: {
    search: localSearch,
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/docs/quick-start' },
      { text: 'Going live', link: '/docs/going-live' },
      { text: 'Errors', link: '/docs/errors' },
    ],
    sidebar: Object.entries(sidebarParts(top)).map(([text, paths]) => ({
      text,
      collapsed: text === 'Decisions' || text === 'Frameworks',
      items: paths.map((path) => ({
        text: readPage(top, path).title,
        link: `/${pathOnSite(path).replace(/(?:index)?\.md$/, '')}`,
      })),
    })),
  },
  vite: {
    // The repository's own configuration is for its tests.
    configFile: false,
    plugins: [withoutOptimizedDependencies()],
    server: { watch: { ignored: ['**/node_modules/**', '**/dist/**', '**/.data/**'] } },
  },
};

/**
 * VitePress looks for dependencies to bundle beforehand below the documents, where none of its own
 * is installed. Vite finds each of them when it is first imported.
 */
function withoutOptimizedDependencies(): object {
  return {
    name: 'without-optimized-dependencies',
    configResolved: ({ optimizeDeps }: { optimizeDeps: { include?: string[] } }): void => {
      optimizeDeps.include = [];
    },
  };
}
