import { expect, test } from 'vitest';
import { postForm } from '../testing/dashboard-for-test.ts';
import { cards, send, startForTest, submitCard, validLink } from '../testing/sandbox-for-test.ts';

/** Where the browser is sent by a declined card; each attempt is a form of its own. */
async function decline(page: { redirectUrl: string }, attempt: number): Promise<string | null> {
  const { headers } = await submitCard(page, { number: cards.poor, formKey: String(attempt) });
  return headers.get('location');
}

// Pins: reading.N2, transition.session.declined, transition.session.return
test('a declined card leads back to the form, which says why; the third leaves for failureUrl, and after it a card still pays (N2)', async () => {
  const sandbox = await startForTest();
  const page = await sandbox.createLink();
  expect(await decline(page, 0)).toContain('/checkout?sessionId=');
  expect(await decline(page, 1)).toContain('/checkout?sessionId=');
  const form = await send(page.redirectUrl);
  expect(form.text).toContain('data-test="payment-error"');
  expect(form.text).toContain('The payment by the card ending in 1101 failed: insufficient funds.');
  expect(form.text).toContain(`href="${validLink.failureUrl}" data-test="back-to-shop"`);
  expect(form.text).toContain('data-test="submit-payment"');
  expect(await decline(page, 2)).toBe(validLink.failureUrl);
  const paid = await submitCard(page, { formKey: '3' });
  expect(paid.headers.get('location')).toBe(validLink.successUrl);
  expect(await sandbox.statusesOf(page.id)).toBe('FAILED FAILED FAILED SUCCESS');
});

// Pins: reading.N2
test.each(['declineLeaves', 'closesOnFailure'])(
  '%s: a first decline leaves, and so does a 3-D Secure page that fails',
  async (policy) => {
    const sandbox = await startForTest({ policy: [policy] });
    expect(await decline(await sandbox.createLink(), 0)).toBe(validLink.failureUrl);
    const other = await sandbox.createLink({ merchantOrderId: 'other' });
    const { headers } = await submitCard(other, { number: cards.challenged });
    const challenge = `${sandbox.url}${headers.get('location') ?? ''}`;
    const failed = await postForm(challenge, '', { action: 'fail' });
    expect(failed.headers.get('location')).toBe(validLink.failureUrl);
  },
);

// Pins: reading.N1
test('return addresses keep their query and fragment, with ids and the status between (N1)', async () => {
  const sandbox = await startForTest({ policy: ['appendsTransactionId', 'appendsSessionId'] });
  const page = await sandbox.createLink();
  const { headers } = await submitCard(page);
  const [row] = await sandbox.statusContent(page.id);
  const id = row?.['transactionId'] ?? '';
  expect(headers.get('location')).toBe(
    `https://shop.example/thanks?order=1&x=%20&transactionId=${id}&sessionId=${page.id}&status=SUCCESS#done`,
  );
});
