import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { slugOf } from '../../scripts/check/markdown.ts';
import { decisions, sitePages } from '../../scripts/site/pages.ts';
import { repositoryAddress, targetsOf } from '../../scripts/site/targets.ts';
import { drawDiagrams } from '../../scripts/site/state-diagram/draw-diagrams.ts';
import { translateLinks } from '../../scripts/site/translate-links.ts';

// The generator runs in site/; it puts this file elsewhere before it reads it.
const site = process.cwd();
const top = resolve(site, '..');
const pages = sitePages(top);
const repository = repositoryAddress(JSON.parse(readFileSync(join(top, 'package.json'), 'utf8')));
const target = targetsOf(top, pages, repository);

const shown = new Set(pages.map(({ path }) => path));
const parts = [...new Set(pages.map(({ part }) => part))].filter((part) => part !== '');

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
  srcExclude: [...documentsNotShown()],
  rewrites: Object.fromEntries(pages.map(({ path, address }) => [path, `${address}.md`])),
  cleanUrls: true,
  metaChunk: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
  markdown: {
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: (
      markdown: Parameters<typeof translateLinks>[0] & Parameters<typeof drawDiagrams>[0],
    ) => {
      translateLinks(markdown, (file) => relative(top, file), target);
      drawDiagrams(markdown);
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: repository === undefined ? undefined : [{ icon: 'github', link: repository }],
    nav: [
      { text: 'Quick start', link: '/quick-start' },
      { text: 'Going live', link: '/going-live' },
      { text: 'Errors', link: '/errors' },
    ],
    sidebar: parts.map((part) => ({
      text: part,
      collapsed: part === decisions,
      items: pages
        .filter((page) => page.part === part)
        .map(({ title, address }) => ({ text: title, link: `/${address}` })),
    })),
  },
  vite: {
    // The repository's own is for its tests.
    configFile: false,
    plugins: [findDependenciesHere()],
    // No other files change what is shown, and there are many.
    server: { watch: { ignored: ['**/node_modules/**', '**/dist/**', '**/.data/**'] } },
  },
};

/** The generator takes every document that it is not told to leave. */
function documentsNotShown(below = ''): readonly string[] {
  const skipped = new Set(['node_modules', 'dist', '.git']);
  return readdirSync(join(top, below), { withFileTypes: true }).flatMap((entry) => {
    const path = join(below, entry.name);
    if (entry.isDirectory()) return skipped.has(entry.name) ? [] : documentsNotShown(path);
    return path.endsWith('.md') && !shown.has(path) ? [path] : [];
  });
}

/**
 * The generator's list of what to bundle beforehand is looked up below the documents, where nothing
 * of its own is installed. What it needs is found all the same, when it is first imported.
 */
function findDependenciesHere(): object {
  return {
    name: 'find-dependencies-here',
    configResolved: ({ optimizeDeps }: { optimizeDeps: { include?: string[] } }): void => {
      optimizeDeps.include = [];
    },
  };
}
