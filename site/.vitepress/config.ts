import { existsSync, globSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { slugOf } from '../../scripts/check/markdown.ts';
import { adaptMarkdown } from './adapt-markdown.ts';

// VitePress runs in site/, and bundles this file elsewhere before it reads it.
const site = process.cwd();
const top = resolve(site, '..');

const decisions = globSync('docs/decisions/*.md', { cwd: top }).toSorted();

/** The sidebar from top to bottom: documents by their paths in the repository. */
const parts: Readonly<Record<string, readonly string[]>> = {
  Start: ['docs/quick-start.md', 'examples/README.md', 'demo/README.md', 'docs/going-live.md'],
  'How it works': [
    'docs/how-confirmation-works.md',
    'docs/money-operations.md',
    'docs/webhooks.md',
    'docs/stores-and-scaling.md',
    'docs/proof.md',
    'ARCHITECTURE.md',
  ],
  'Front end': ['packages/widget/README.md', 'docs/theming-and-languages.md'],
  Operate: [
    'packages/server-helper/README.md',
    'docs/operations.md',
    'docs/errors.md',
    'docs/security-model.md',
    'docs/hardening.md',
    'SECURITY.md',
  ],
  Test: [
    'docs/testing-with-the-sandbox.md',
    'packages/gateway-sandbox/README.md',
    'bench/README.md',
  ],
  Reference: ['docs/gateway-client.md', 'site/reference/README.md', 'GLOSSARY.md'],
  Decisions: decisions,
};

const listed = new Set(Object.values(parts).flat());
const missing = globSync('docs/*.md', { cwd: top }).filter(
  (path) => path !== 'docs/README.md' && !listed.has(path),
);
if (missing.length > 0)
  throw new Error(`No reader would find ${missing.join(', ')}: name it here.`);

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
  srcExclude: ['**/node_modules/**', '**/dist/**', '**/CHANGELOG.md'],
  rewrites: (path: string) => path.replace(/README\.md$/, 'index.md'),
  cleanUrls: true,
  metaChunk: true,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: icon }]],
  markdown: {
    // GitHub's anchors, so that a link works in both places.
    anchor: { slugify: slugOf },
    toc: { slugify: slugOf },
    config: adaptMarkdown,
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Quick start', link: '/docs/quick-start' },
      { text: 'Going live', link: '/docs/going-live' },
      { text: 'Errors', link: '/docs/errors' },
    ],
    sidebar: Object.entries(parts).map(([text, paths]) => ({
      text,
      collapsed: text === 'Decisions',
      items: paths.map((path) => ({
        text: titleOf(path),
        link: `/${path.replace(/(?:README)?\.md$/, '')}`,
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

/** The document's first heading. */
function titleOf(path: string): string {
  const file = join(top, path);
  const heading = existsSync(file) && /^# (.+)$/m.exec(readFileSync(file, 'utf8'))?.[1];
  return heading ? heading.replaceAll('`', '') : path;
}

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
