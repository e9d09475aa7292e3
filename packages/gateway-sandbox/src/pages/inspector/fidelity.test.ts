import { expect, test } from 'vitest';
import { send, startForTest } from '../../testing/sandbox-for-test.ts';

test('the report gives the tier, the source and the tests of each behaviour', async () => {
  const sandbox = await startForTest();
  const { behaviours, sources } = await sandbox.control.fidelity();
  expect(behaviours.length).toBeGreaterThan(200);
  for (const { id, tier, source, tests } of behaviours) {
    expect([id, tests.length > 0, tier]).toEqual([id, true, expect.stringMatching(/^[a-z]+$/)]);
    expect(source.startsWith('§') || source in sources).toBe(true);
  }
});

test('the page shows every behaviour, or only those of one tier, in both languages', async () => {
  const sandbox = await startForTest();
  const page = (query: string) =>
    send(`${sandbox.url}/_sandbox/fidelity?${query}`).then(({ text }) => text);
  const all = await page('lang=en');
  for (const id of ['operation.refund', 'error.void.repeated', 'transition.session.paid']) {
    expect(all).toContain(`id="${id}"`);
  }
  const assumed = await page('lang=ar&tier=assumed');
  expect(assumed).toContain('مدى المطابقة');
  expect(assumed).not.toContain('id="operation.capture"');
  expect(assumed).toContain('id="operation.logIn"');
});

test('the page shows how each open point can be read otherwise', async () => {
  const sandbox = await startForTest();
  const { text } = await send(`${sandbox.url}/_sandbox/fidelity?lang=en`);
  expect(text).toContain('id="reading.X2"');
  expect(text).toContain('policy transactionIdOnly: status knows transaction ids only');
  expect(text).toContain('profile operations.pollStatus');
  expect(text).toContain('No policy: the invariants of the ledger');
});
