import fc from 'fast-check';

/** Cards that approve, decline, challenge, hang and fail. */
export const cardNumbers = [
  '4201320111111010',
  '4111111111111111',
  '4201320000311101',
  '4508750015741019',
  '9682990151000005',
  '9682990300000005',
  '9682990600000002',
  '9682990200000006',
] as const;

const hourMs = 3_600_000;

/** Lengths of time around every limit: settlement, challenge, pending payment, session, token. */
const waits = [
  1,
  1999,
  2000,
  60_000,
  599_999,
  600_000,
  48 * hourMs - 1,
  48 * hourMs,
  8760 * hourMs,
];

/** Minor units: the smallest, two usual ones, and one of each magic kind that moves money. */
const amounts = [
  1, 11_500, 11_500, 4999, 990_051, 990_151, 990_200, 990_201, 990_301, 990_500, 990_501, 990_603,
  990_801, 990_802,
];

const card = fc.constantFrom(...cardNumbers);
const one = fc.nat(6);
const amount = fc.constantFrom(...amounts);
const usualCard = fc.oneof(
  { weight: 3, arbitrary: fc.constant(cardNumbers[0]) },
  { weight: 2, arbitrary: card },
);
const kind = <Kind extends string>(value: Kind) => fc.constant(value);

/** How much of what there is; `above` is one minor unit more than all of it. */
const part = fc.constantFrom('one' as const, 'half' as const, 'all' as const, 'above' as const);

/** Now and then an id is asked for that no transaction has. */
const isKnown = fc.constantFrom(true, true, true, false);

const armed = fc.record({
  kind: kind('arm'),
  operation: fc.constantFrom(
    null,
    'createPaymentLink',
    'sale',
    'chargeRecurring',
    'refund',
    'capture',
  ),
  outcome: fc.constantFrom('approve', 'decline:51'),
});

const moveKinds = {
  link: fc.record({ kind: kind('link'), order: fc.nat(9), amount }),
  pay: fc.record({
    kind: kind('pay'),
    session: one,
    card: usualCard,
    formKey: fc.constantFrom(null, null, '0', '1'),
  }),
  sale: fc.record({
    kind: kind('sale'),
    amount,
    auth: fc.constantFrom('Y', 'Y', 'N'),
    recurring: fc.constantFrom('Y', 'N'),
    card: usualCard,
  }),
  answer: fc.record({
    kind: kind('answer'),
    payment: one,
    with: fc.constantFrom('123456', '123456', '000000', '111111', '222222', 'fail', 'cancel'),
    times: fc.constantFrom(1, 1, 3),
  }),
  capture: fc.record({ kind: kind('capture'), payment: one, part, isKnown }),
  void: fc.record({ kind: kind('void'), payment: one, isKnown }),
  refund: fc.record({
    kind: kind('refund'),
    payment: one,
    part,
    by: fc.constantFrom('transaction', 'transaction', 'transaction', 'session', 'payment', 'other'),
  }),
  endRefund: fc.record({ kind: kind('end-refund'), payment: one, succeeds: fc.boolean() }),
  charge: fc.record({ kind: kind('charge'), payment: one, tokenOf: one, amount }),
  revoke: fc.record({ kind: kind('revoke'), payment: one }),
  wait: fc.record({ kind: kind('wait'), ms: fc.constantFrom(...waits) }),
  expire: fc.record({ kind: kind('expire'), session: one }),
};

const weights: Readonly<Record<keyof typeof moveKinds, number>> = {
  link: 4,
  pay: 7,
  sale: 5,
  answer: 5,
  capture: 4,
  void: 2,
  refund: 7,
  endRefund: 1,
  charge: 3,
  revoke: 1,
  wait: 5,
  expire: 1,
};

export type Move =
  typeof armed extends fc.Arbitrary<infer Armed>
    ? Armed | ArbitraryValue<(typeof moveKinds)[keyof typeof moveKinds]>
    : never;
type ArbitraryValue<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

/** Sequences of moves; numbers stand for sessions and payments, since ids are drawn at random. */
export const sequences: fc.Arbitrary<Move[]> = fc.array(
  fc.oneof(
    { weight: 2, arbitrary: armed },
    ...(Object.keys(moveKinds) as (keyof typeof moveKinds)[]).map((name) => ({
      weight: weights[name],
      arbitrary: moveKinds[name] as fc.Arbitrary<Move>,
    })),
  ),
  { minLength: 4, maxLength: 24, size: 'max' },
);
