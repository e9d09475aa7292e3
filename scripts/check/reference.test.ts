import { describe, expect, it } from 'vitest';
import { checkReference } from './reference.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const make = (): string => '# The client\n\nIt refunds.\n';

async function findings(page: string | undefined): Promise<string> {
  const top = fixtureTree(page === undefined ? {} : { 'docs/reference/gateway-client.md': page });
  const result = await checkReference(top, make);
  return result.ok ? '' : result.details;
}

describe('the check of the reference', () => {
  it('accepts the page that the sources make', async () => {
    expect(await findings(make())).toBe('');
  });

  it('finds a page that tells something else, names the line and says how to mend it', async () => {
    const found = await findings('# The client\n\nIt captures.\n');
    expect(found).toContain('docs/reference/gateway-client.md:3');
    expect(found).toContain('npm run docs:reference');
  });

  it('finds a page that goes on where the sources end', async () => {
    expect(await findings(`${make()}More.\n`)).toContain('gateway-client.md:');
  });

  it('finds that there is no page', async () => {
    expect(await findings(undefined)).toContain('gateway-client.md:1');
  });
});
