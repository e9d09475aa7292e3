import { expect, it } from 'vitest';
import { OfficeOfShop } from './shop.ts';

const shop = new OfficeOfShop();

/** What the page of an order says of its money, a line each, without ids and times. */
async function storyOf(orderId: string, language: string): Promise<readonly string[]> {
  const page = await shop.visitor('Noura', language).text(`orders/${orderId}`);
  const [story = ''] = /data-test="money">[^]*?<\/ol>/.exec(page) ?? [];
  return [...story.matchAll(/<p class="line">([^]*?)<time/g)].map(([, line = '']) =>
    line
      .replaceAll(/<[^>]*>|[\u2066-\u2069]/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

it('tells what happened to the money in plain words of both languages, the newest first', async () => {
  await shop.paid('1001');
  await shop.payments.refund('1001', { amount: '15.00', requestId: 'r-1' });
  await shop.payments.refund('1001', {
    amount: '60.00',
    requestId: 'r-2',
    by: 'Sara',
    propose: true,
  });
  expect(await storyOf('1001', 'en')).toEqual([
    'Refund of SAR 60.00 Waits for approval',
    'Refund of SAR 15.00 Accepted, not confirmed yet',
    'SAR 115.00 was paid for the order.',
  ]);
  expect(await storyOf('1001', 'ar')).toEqual([
    'استرداد بمبلغ 60.00 ريال بانتظار الموافقة',
    'استرداد بمبلغ 15.00 ريال قُبل ولم يتأكد بعد',
    'دُفع 115.00 ريال عن الطلب.',
  ]);
});

it('names a decision before the money that it is about, and leads to the review list', async () => {
  await shop.paidAtAnOldPrice('1002');
  expect(await storyOf('1002', 'en')).toEqual([
    'A person must decide: The price changed before it was paid',
    'SAR 100.00 was paid, and does not match.',
  ]);
  expect(await shop.visitor('Noura').text('orders/1002')).toContain('Go to the review list');
});

it('says of an authorization that the money is held, and not that it was paid', async () => {
  await shop.sold('1003', 'authorize');
  expect(await storyOf('1003', 'en')).toEqual([
    'SAR 115.00 was held on the card.',
    'Authorization of SAR 115.00 Succeeded',
  ]);
  await shop.payments.capture('1003', { amount: '15.00', requestId: 'c-1' });
  await shop.payments.confirm('1003');
  expect(await storyOf('1003', 'en')).toEqual([
    'Held money was taken.',
    'Capture of SAR 15.00 Succeeded',
    'SAR 115.00 was held on the card.',
    'Authorization of SAR 115.00 Succeeded',
  ]);
});

it('folds the steps away where all is well, and shows them where an event of the order failed', async () => {
  const records = async (): Promise<string> =>
    /<details data-test="records"[^>]*>/.exec(
      await shop.visitor('Noura').text('orders/1004'),
    )?.[0] ?? '';
  await shop.paid('1004');
  expect(await records()).not.toMatch(/open/);
  await shop.letEventsDie();
  expect(await records()).toMatch(/ open>/);
});
