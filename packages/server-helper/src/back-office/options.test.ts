import { describe, expect, it } from 'vitest';
import { openOffice } from '../../test-support/office-shop.ts';
import { ConfigurationError } from '../errors.ts';
import type { Payments } from '../index.ts';
import { backOffice, type BackOfficeOptions } from './back-office.ts';

const actor = () => 'Noura';

async function errorOf(options: unknown, given?: unknown): Promise<ConfigurationError> {
  const payments = given === undefined ? (await openOffice()).payments : (given as Payments);
  try {
    backOffice(payments, options as BackOfficeOptions);
  } catch (error) {
    if (error instanceof ConfigurationError) return error;
    throw error;
  }
  throw new Error('it was taken');
}

/** A list of one link. */
const link = (text: object, url: string) => ({ links: [{ text, url }] });
const words = { en: 'x', ar: 'x' };

describe('backOffice', () => {
  it.each([
    ['missing_setting', 'actor', undefined],
    ['missing_setting', 'actor', {}],
    ['invalid_option', 'actor', { actor: 'Noura' }],
    ['invalid_option', 'may', { actor, may: ['refund'] }],
    ['invalid_option', 'describeOrder', { actor, describeOrder: 'x' }],
    ['invalid_option', 'approvals', { actor, approvals: { refundAbove: 500 } }],
    ['invalid_option', 'approvals', { actor, approvals: { refundAbove: '500' } }],
    ['invalid_option', 'approvals', { actor, approvals: { above: '500.00' } }],
    ['invalid_option', 'approvals', { actor, approvals: '500.00' }],
    ['invalid_option', 'links', { actor, links: '/out' }],
    ['invalid_option', 'links', { actor, ...link({ en: 'Out' }, '/out') }],
    ['invalid_option', 'links', { actor, ...link(words, 'javascript:alert(1)') }],
    // A browser reads it as another site.
    ['invalid_option', 'links', { actor, ...link(words, '/\t/other.example') }],
    ['invalid_option', 'timeZone', { actor, timeZone: 'Mars/Base' }],
    ['invalid_option', 'timeZone', { actor, timeZone: 3 }],
    ['invalid_option', 'describeorder', { actor, describeorder: actor }],
    ['invalid_mount_path', 'mountPath', { actor, mountPath: 'admin' }],
    ['invalid_mount_path', 'mountPath', { actor, mountPath: '/admin/:id' }],
  ])('says, as %s of %s, what is wrong with %j, why and how to mend it', async (...given) => {
    const [code, setting, options] = given;
    const { findings } = await errorOf(options);
    expect(findings).toMatchObject([{ code, setting: `backOffice.${setting}` }]);
    for (const { what, why, fix } of findings) {
      for (const sentence of [what, why, fix]) expect(sentence).toMatch(/^[A-Za-z].*\.$/);
    }
  });

  it('names every mistake at once', async () => {
    const { findings } = await errorOf({ may: 1, timeZone: 'x', mountPath: 'y' });
    const settings = ['actor', 'may', 'timeZone', 'mountPath'];
    expect(findings.map(({ setting }) => setting)).toEqual(
      settings.map((name) => `backOffice.${name}`),
    );
  });

  it('refuses what createPayments did not make, and says so', async () => {
    const { payments } = await openOffice();
    for (const given of [null, {}, 'payments', { ...payments }]) {
      expect(await errorOf({ actor }, given)).toMatchObject({
        code: 'invalid_option',
        message: expect.stringContaining('createPayments') as unknown,
      });
    }
  });

  it('says that it was mounted without being called', async () => {
    expect(await errorOf(undefined, { method: 'GET', headers: {} })).toMatchObject({
      code: 'router_not_called',
      message: expect.stringContaining('backOffice(payments') as unknown,
    });
  });
});
