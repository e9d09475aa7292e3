import { expect, it } from 'vitest';
import { aCard } from '../../../test-support/operation-inputs.ts';
import { startShop } from '../../../test-support/shop-of-test.ts';
import { untyped } from '../../../test-support/some-options.ts';
import type { Payments } from '../../index.ts';

const ORDER = '1001';
const id = 'request/none';
const refund = { amount: '20.00', requestId: 'r-1' };
const two = { ...refund, transactionId: 'id-1' };
const proposal = { ...refund, propose: true };
const sale = { auth: 'capture', card: aCard, requestId: 's-1' } as const;

const amounts = ['0.00', '20', '20.000', '-1.00', '', undefined, 20];
const keys = ['', ' ', 'r 1', 'x'.repeat(101), undefined, 7];
const names = ['', ' \t', 'n'.repeat(201), 7];
const limits = [0, -1, 1.5, 1_001, Number.NaN];
/** The second one is the kit's own word for what the gateway has ended. */
const reasons = [' ', 'evidence'];

type Ask = (of: Payments, value: never) => Promise<unknown>;
type Wrong = readonly [what: string, field: string, values: readonly unknown[], Ask];

const wrong: readonly Wrong[] = [
  ['a refund', 'amount', amounts, (of, amount) => of.refund(ORDER, { ...refund, amount })],
  ['a refund', 'requestId', keys, (of, requestId) => of.refund(ORDER, { ...refund, requestId })],
  ['a refund', 'by', names, (of, by) => of.refund(ORDER, { ...refund, by })],
  ['a refund', 'propose', ['true'], (of, propose) => of.refund(ORDER, { ...refund, propose })],
  ['a refund', 'proposed', [true], (of) => of.refund(ORDER, untyped({ ...refund, proposed: 1 }))],
  ['a refund', 'operationId', [id], (of, operationId) => of.refund(ORDER, { ...two, operationId })],
  ['a proposal', 'by', [undefined], (of, by) => of.refund(ORDER, { ...proposal, by })],
  ['a sale', 'auth', ['charge'], (of, auth) => of.sale(ORDER, { ...sale, auth })],
  ['an outcome', 'why', [' '], (of, why) => of.resolveOperation(id, 'succeeded', why)],
  ['an accepted review', 'why', [' '], (of, why) => of.review.accept(id, why)],
  ['an accepted review', 'by', names, (of, by) => of.review.accept(id, 'seen', { by })],
  ['a resolved review', 'why', reasons, (of, why) => of.review.resolve(id, why)],
  ['a list of reviews', 'limit', limits, (of, limit) => of.review.list({ limit })],
  ['a cancellation', 'by', names, (of, by) => of.cancel(ORDER, { by })],
];
const each = wrong.flatMap(([what, field, values, ask]) =>
  values.map((value) => [what, field, value, ask] as const),
);

it.each(each)('%s with the %s %j is refused, and nothing is kept', async (_, field, value, ask) => {
  const { payments, gateway } = await startShop();
  const refused = { code: 'invalid_operation', field };
  await expect(ask(payments, value as never)).rejects.toMatchObject(refused);
  expect([gateway.seen, await payments.retrieve(ORDER)]).toEqual([[], null]);
});
