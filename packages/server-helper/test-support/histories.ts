import fc from 'fast-check';
import type { MoneyStep } from './money-steps.ts';
import { ORDER_IDS } from './order-ids.ts';
import type { Step } from './simulation.ts';

const orderId = fc.constantFrom(...ORDER_IDS);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('want-to-pay'), orderId }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('two-tabs'), orderId }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('confirm'), orderId }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel'), orderId }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('pay'),
      orderId,
      pick: fc.nat(3),
      isApproved: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('hint'), orderId, garbage: fc.string() }),
  },
  {
    // Often, since a price that goes and comes back leaves two payable links of one amount.
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('reprice'),
      orderId,
      amount: fc.constantFrom('115.00', '99.50'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('mood'),
      mood: fc.constantFrom(
        'well',
        'create-refused',
        'create-answer-lost',
        'status-unreachable',
        'status-pending',
        'status-wrong-amount',
        'status-unknown-words',
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('store-fault'),
      fault: fc.constantFrom('fail-before', 'fail-after-commit'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait'),
      milliseconds: fc.constantFrom(1_000, 6_000, 70_000, 3_600_000, 49 * 3_600_000),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constantFrom('tick', 'crowd', 'restart') }) },
);
/** Shoppers, a merchant, a moody gateway and a moody store. */
export const history = fc.array(step, { minLength: 5, maxLength: 40 });

const key = fc.integer({ min: 1, max: 9 });
const moneyStep: fc.Arbitrary<MoneyStep> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constantFrom('refund', 'refund', 'capture', 'void', 'charge'),
      orderId,
      key,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('sale'),
      orderId,
      key,
      isAuthorization: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('person-looks'), orderId }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('money-mood'),
      mood: fc.constantFrom(
        'well',
        'well',
        'refused',
        'answer-lost',
        'request-lost',
        'dies-before',
        'dies-after',
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('sale-end'),
      end: fc.constantFrom('success', 'redirect', 'declined'),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('refunds-settle'), atOnce: fc.boolean() }),
  },
);
/** Orders that are mostly paid soon, and then refunded, captured, voided and charged again. */
export const moneyHistory = fc.array(
  fc.oneof({ weight: 1, arbitrary: step }, { weight: 1, arbitrary: moneyStep }),
  { minLength: 5, maxLength: 40 },
);
