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
    'How it works': [
      'docs/rare-cases.md',
      'docs/who-does-what.md',
      'docs/money-operations.md',
      'docs/webhooks.md',
      'docs/your-database.md',
      'docs/stores-and-scaling.md',
      'docs/proof.md',
      'ARCHITECTURE.md',
    ],
    // The overview comes first.
    Frameworks: globSync('docs/frameworks/*.md', { cwd: top }).toSorted(),
    'Front end': [
      'packages/widget/README.md',
      'docs/theming-and-languages.md',
      'docs/pay-links.md',
      'docs/paths-and-origins.md',
    ],
    Operate: [
      'packages/server-helper/README.md',
      'docs/back-office.md',
      'docs/operations.md',
      'docs/containers.md',
      'docs/upgrades.md',
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
    Reference: [
      'docs/custom-stores.md',
      'docs/gateway-client.md',
      'docs/assistants.md',
      'site/reference/README.md',
      'GLOSSARY.md',
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
