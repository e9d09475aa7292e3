import { globSync } from 'node:fs';

/** A document's path on the site. The first page is the site's own; the README is the overview. */
export function pathOnSite(path: string): string {
  if (path === 'site/home.md') return 'index.md';
  return path === 'README.md' ? 'overview.md' : path.replace(/README\.md$/, 'index.md');
}

/** The sidebar from top to bottom: the documents of each part, by their paths in the repository. */
export function sidebarParts(top: string): Readonly<Record<string, readonly string[]>> {
  return {
    Start: [
      'README.md',
      'docs/quick-start.md',
      'docs/how-confirmation-works.md',
      'docs/going-live.md',
      'docs/first-contact.md',
      'examples/README.md',
      'demo/README.md',
    ],
    Frameworks: globSync('docs/frameworks/*.md', { cwd: top }).toSorted(),
    'Put it into a shop': [
      'packages/server-helper/README.md',
      'packages/widget/README.md',
      'docs/theming-and-languages.md',
      'docs/your-database.md',
      'docs/paths-and-origins.md',
      'docs/pay-links.md',
      'docs/assistants.md',
    ],
    'Handle payments': [
      'docs/who-does-what.md',
      'docs/money-operations.md',
      'docs/back-office.md',
      'docs/webhooks.md',
      'docs/rare-cases.md',
    ],
    'Test it, run it': [
      'docs/testing-with-the-sandbox.md',
      'packages/gateway-sandbox/README.md',
      'docs/gateway-client.md',
      'docs/operations.md',
      'docs/reports.md',
      'docs/errors.md',
      'docs/stores-and-scaling.md',
      'docs/containers.md',
      'docs/hardening.md',
      'docs/upgrades.md',
    ],
    'Judge it, change it': [
      'docs/security-model.md',
      'docs/threats.md',
      'docs/proof.md',
      'docs/custom-stores.md',
      'ARCHITECTURE.md',
      'SECURITY.md',
      'GLOSSARY.md',
      'bench/README.md',
      'site/reference/README.md',
    ],
    Decisions: globSync('docs/decisions/*.md', { cwd: top }).toSorted(),
  };
}

/** Documents that no reader of the sidebar would find. */
export function unlistedDocuments(top: string): readonly string[] {
  const listed = new Set(Object.values(sidebarParts(top)).flat());
  const documents = globSync('docs/*.md', { cwd: top }).toSorted();
  return documents.filter((path) => path !== 'docs/README.md' && !listed.has(path));
}
