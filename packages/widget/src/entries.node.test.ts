import { describe, expect, it } from 'vitest';

describe('the package in Node, without a document', () => {
  it('imports by every entry', async () => {
    expect(globalThis.document).toBeUndefined();
    const { PayButton } = await import('./pay-button.ts');
    const { PayStatus } = await import('./pay-status.ts');
    const all = await import('./index.ts');
    expect([all.PayButton, all.PayStatus]).toEqual([PayButton, PayStatus]);
    expect(PayButton.observedAttributes).toContain('order-id');
  });

  it('takes new labels there', async () => {
    const { registerLabels } = await import('./index.ts');
    registerLabels('fr', { pay: 'Payer' });
    const { buttonLabels } = await import('./labels.ts');
    expect(buttonLabels.find('fr').pay).toBe('Payer');
  });
});
