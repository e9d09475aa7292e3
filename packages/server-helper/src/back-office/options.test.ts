import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type OfficeShop, startOfficeShop } from '../../test-support/office-shop.ts';
import { ConfigurationError } from '../errors.ts';
import { backOffice, type BackOfficeOptions } from './back-office.ts';

const actor = () => 'Noura';

describe('backOffice', () => {
  let shop: OfficeShop;
  beforeEach(async () => {
    shop = await startOfficeShop();
  });
  afterEach(() => shop.close());

  const errorOf = (options: unknown, payments: unknown = shop.payments): ConfigurationError => {
    try {
      backOffice(payments as OfficeShop['payments'], options as BackOfficeOptions);
    } catch (error) {
      if (error instanceof ConfigurationError) return error;
      throw error;
    }
    throw new Error('it was taken');
  };

  it.each([
    ['no options', undefined, 'missing_setting', 'backOffice.actor'],
    ['no actor', {}, 'missing_setting', 'backOffice.actor'],
    ['a name as actor', { actor: 'Noura' }, 'invalid_option', 'backOffice.actor'],
    ['a list as may', { actor, may: ['refund'] }, 'invalid_option', 'backOffice.may'],
    [
      'a text as describeOrder',
      { actor, describeOrder: 'x' },
      'invalid_option',
      'backOffice.describeOrder',
    ],
    [
      'a number as limit',
      { actor, approvals: { refundAbove: 500 } },
      'invalid_option',
      'backOffice.approvals',
    ],
    [
      'a limit of no amount',
      { actor, approvals: { refundAbove: '500' } },
      'invalid_option',
      'backOffice.approvals',
    ],
    [
      'another limit',
      { actor, approvals: { above: '500.00' } },
      'invalid_option',
      'backOffice.approvals',
    ],
    ['a limit alone', { actor, approvals: '500.00' }, 'invalid_option', 'backOffice.approvals'],
    ['a link alone', { actor, links: '/out' }, 'invalid_option', 'backOffice.links'],
    [
      'a link in one language',
      { actor, links: [{ text: { en: 'Out' }, url: '/out' }] },
      'invalid_option',
      'backOffice.links',
    ],
    [
      'a link to a script',
      { actor, links: [{ text: { en: 'x', ar: 'x' }, url: 'javascript:alert(1)' }] },
      'invalid_option',
      'backOffice.links',
    ],
    [
      'a link that a browser reads as another site',
      { actor, links: [{ text: { en: 'x', ar: 'x' }, url: '/\t/other.example' }] },
      'invalid_option',
      'backOffice.links',
    ],
    ['an unknown zone', { actor, timeZone: 'Mars/Base' }, 'invalid_option', 'backOffice.timeZone'],
    ['a zone that is no text', { actor, timeZone: 3 }, 'invalid_option', 'backOffice.timeZone'],
    [
      'a misspelt option',
      { actor, describeorder: actor },
      'invalid_option',
      'backOffice.describeorder',
    ],
    [
      'a mount without a slash',
      { actor, mountPath: 'admin' },
      'invalid_mount_path',
      'backOffice.mountPath',
    ],
    [
      'a mount of a pattern',
      { actor, mountPath: '/admin/:id' },
      'invalid_mount_path',
      'backOffice.mountPath',
    ],
  ])('refuses %s, and says what, why and how to mend it', (_what, options, code, setting) => {
    const { findings } = errorOf(options);
    expect(findings).toMatchObject([{ code, setting }]);
    for (const { what, why, fix } of findings) {
      for (const sentence of [what, why, fix]) expect(sentence).toMatch(/^[A-Za-z].*\.$/);
    }
  });

  it('names every mistake at once', () => {
    const { findings } = errorOf({ may: 1, timeZone: 'x', mountPath: 'y' });
    expect(findings.map(({ setting }) => setting)).toEqual([
      'backOffice.actor',
      'backOffice.may',
      'backOffice.timeZone',
      'backOffice.mountPath',
    ]);
  });

  it('refuses what createPayments did not make, and says so', () => {
    for (const payments of [null, {}, 'payments', { ...shop.payments }]) {
      const error = errorOf({ actor }, payments);
      expect([error.code, error.message]).toEqual([
        'invalid_option',
        expect.stringContaining('createPayments'),
      ]);
    }
  });

  it('says that it was mounted without being called', () => {
    const error = errorOf(undefined, { method: 'GET', headers: {} });
    expect([error.code, error.message]).toEqual([
      'router_not_called',
      expect.stringContaining('backOffice(payments'),
    ]);
  });
});
