import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A heading of the sidebar, and below it documents by their paths in the repository. */
interface Part {
  readonly title: string;
  readonly documents: readonly (readonly [path: string, title: string])[];
}

/** A document of the site: where it stands in the repository and at which path it is shown. */
export interface Page {
  readonly path: string;
  /** Without the ending, as browsers ask for it: `quick-start`, `packages/widget`. */
  readonly address: string;
  readonly part: string;
  readonly title: string;
}

/** The sidebar from top to bottom. Decisions come after it by themselves. */
const parts: readonly Part[] = [
  {
    title: 'Start',
    documents: [
      ['docs/quick-start.md', 'Quick start'],
      ['examples/README.md', 'Examples'],
      ['demo/README.md', 'The demo shop'],
      ['docs/going-live.md', 'Going live'],
    ],
  },
  {
    title: 'How it works',
    documents: [
      ['docs/how-confirmation-works.md', 'How confirmation works'],
      ['docs/money-operations.md', 'Money operations'],
      ['docs/webhooks.md', 'Webhooks'],
      ['docs/stores-and-scaling.md', 'Stores and scaling'],
      ['docs/proof.md', 'What is proven'],
      ['ARCHITECTURE.md', 'Architecture'],
    ],
  },
  {
    title: 'Front end',
    documents: [
      ['packages/widget/README.md', 'The elements'],
      ['docs/theming-and-languages.md', 'Theming and languages'],
    ],
  },
  {
    title: 'Operate',
    documents: [
      ['packages/server-helper/README.md', 'The server'],
      ['docs/operations.md', 'Operations'],
      ['docs/errors.md', 'Errors'],
      ['docs/security-model.md', 'Security model'],
      ['SECURITY.md', 'Reporting, leaked keys'],
    ],
  },
  {
    title: 'Test',
    documents: [
      ['docs/testing-with-the-sandbox.md', 'Testing with the sandbox'],
      ['packages/gateway-sandbox/README.md', 'The sandbox'],
      ['bench/README.md', 'Measurements'],
    ],
  },
  {
    title: 'Reference',
    documents: [
      ['docs/reference/gateway-client.md', 'Gateway client'],
      ['GLOSSARY.md', 'Glossary'],
    ],
  },
];

/** The last part of the sidebar, folded until it is wanted. */
export const decisions = 'Decisions';

/**
 * Every page of the site in the order of its sidebar; the front page, `docs/README.md`, is first
 * and in no part.
 *
 * @throws when the sidebar names a document that is not there, or lacks one of those in docs/.
 */
export function sitePages(top: string): readonly Page[] {
  const front = { path: 'docs/README.md', address: 'index', part: '', title: 'Documentation' };
  const chosen = parts.flatMap(({ title: part, documents }) =>
    documents.map(([path, title]) => ({ path, address: addressOf(path), part, title })),
  );
  const gone = chosen.find(({ path }) => !existsSync(join(top, path)));
  if (gone !== undefined) throw new Error(`The sidebar of the site names ${gone.path}: gone.`);
  const records = globSync('docs/decisions/*.md', { cwd: top })
    .toSorted()
    .map((path) => ({
      path,
      address: addressOf(path),
      part: decisions,
      title: titleOf(top, path),
    }));
  const pages = [front, ...chosen, ...records];
  const shown = new Set(pages.map(({ path }) => path));
  const missing = globSync('docs/**/*.md', { cwd: top }).filter((path) => !shown.has(path));
  if (missing.length === 0) return pages;
  throw new Error(`Nobody would find ${missing.join(', ')}: name it in scripts/site/pages.ts.`);
}

function addressOf(path: string): string {
  return path
    .replace(/^docs\//, '')
    .replace(/(?:\/README)?\.md$/, '')
    .toLowerCase();
}

/** A decision's own heading, `0001: Node from npm`. */
function titleOf(top: string, path: string): string {
  const heading = /^# (.+)$/m.exec(readFileSync(join(top, path), 'utf8'))?.[1];
  return heading?.replaceAll('`', '') ?? path;
}
