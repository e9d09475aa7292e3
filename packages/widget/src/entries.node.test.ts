import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

describe('the package in Node, without a document', () => {
  it('has the version of its package.json in both elements', async () => {
    const { PayButton, PayStatus } = await import('./index.ts');
    const manifest: unknown = JSON.parse(
      readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
    );
    expect(manifest).toMatchObject({ version: PayButton.version });
    expect(PayStatus.version).toBe(PayButton.version);
  });

  it('takes new labels there', async () => {
    const { registerLabels } = await import('./index.ts');
    registerLabels('fr', { pay: 'Payer' });
    const { buttonLabels } = await import('./labels.ts');
    expect(buttonLabels.find('fr').pay).toBe('Payer');
  });
});
