import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { type Journey, type JourneyName, journeys } from './journeys.ts';
import type { Reading } from './readings.ts';
import { MatrixShop, ORDER, PRICE } from './shop.ts';

/**
 * How a journey under a reading ended. `paid`: as it should, with money, once · `unpaid`: as it
 * should, without money · `review`: a person has the order, and health says so · `refused`: a call
 * of the merchant's or the shopper's was refused, and no money moved · `silent`: none of these, and
 * {@link silentCells} says why · `failure`: silence, or a second link for a paid order · `wrong`:
 * shipped twice or without money.
 */
type OutcomeKind = 'paid' | 'unpaid' | 'review' | 'refused' | 'silent' | 'failure' | 'wrong';

export interface Outcome {
  readonly kind: OutcomeKind;
  /** The facts of it, for people. */
  readonly reason: string;
}

/** What became of a reading's journeys. */
export interface Row {
  readonly reading: Reading;
  readonly cells: ReadonlyMap<JourneyName, Outcome>;
}

/** Plays a reading's journeys at a sandbox that reads so, each by a tenant of its own. */
export async function playReading(
  reading: Reading,
  only: readonly JourneyName[] = reading.journeys,
): Promise<Row> {
  const { policy, profile } = reading;
  const sandbox = await startSandbox({ port: 0, policy, profile });
  try {
    const played = journeys.filter(
      ({ name }) => reading.journeys.includes(name) && only.includes(name),
    );
    const cells = played.map(async (journey): Promise<[JourneyName, Outcome]> => {
      const outcome = await playCell(sandbox, reading, journey);
      const isSilent = outcome.kind === 'failure' && mayBeSilent(reading, journey.name);
      return [journey.name, isSilent ? { ...outcome, kind: 'silent' } : outcome];
    });
    return { reading, cells: new Map(await Promise.all(cells)) };
  } finally {
    await sandbox.close();
  }
}

/** The journeys that broke a promise, each with the facts. */
export const brokenIn = ({ cells }: Row): readonly (readonly [JourneyName, Outcome])[] =>
  [...cells].filter(([, { kind }]) => kind === 'failure' || kind === 'wrong');

const byTransaction = ['transactionIdOnly', 'status asks for transactions'];

/** Cells that may be silent: no answer and no notification shows more. */
export const silentCells: readonly {
  /** Single readings, also as members of a combination. */
  readonly readings: readonly string[];
  readonly journeys: readonly JourneyName[];
  readonly why: string;
}[] = [
  {
    readings: ['closesOnFailure, not in the profile'],
    journeys: ['decline, pay'],
    why: 'No answer says that a page takes no more cards, and the profile does not. A second link beside one that may be payable could be paid twice, so the shop offers the first until it expires. No money moves.',
  },
  {
    readings: [...byTransaction, 'transactionIdOnly, not in the profile'],
    journeys: ['neither', 'lost', 'twice'],
    why: 'This gateway answers by transaction ids only, and neither a return nor a webhook has arrived. To the shop the order is one whose shopper went away, and it offers a new link once the first has expired. A shop without the profile gets the finding unknown_links with its fifth link.',
  },
];

const mayBeSilent = ({ name, members }: Reading, journey: JourneyName): boolean =>
  silentCells.some(
    ({ readings, journeys: silent }) =>
      silent.includes(journey) && [name, ...members].some((one) => readings.includes(one)),
  );

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Long enough for a link to expire, and for every status check afterwards. */
const pauses: readonly number[] = [
  15_000,
  30_000,
  MINUTE,
  5 * MINUTE,
  10 * MINUTE,
  HOUR,
  DAY,
  DAY,
  HOUR,
  ...Array.from({ length: 8 }, () => DAY + HOUR),
];

/** Plays a journey to its end, and judges what came of the order. */
export async function playCell(
  sandbox: Sandbox,
  reading: Reading,
  journey: Journey,
): Promise<Outcome> {
  const shop = await MatrixShop.open(sandbox, reading.shopProfile, journey.hasWebhook);
  try {
    const error: unknown = await journey.play(shop).then(
      () => null,
      (thrown: unknown) => thrown,
    );
    for (const pause of pauses) {
      if (journey.ends.includes(await stateOf(shop))) break;
      await shop.pass(pause);
    }
    // Whatever was decided must last: a later check must not change it.
    await shop.pass(HOUR);
    const facts = await factsOf(shop, error);
    return { kind: verdict(journey, facts), reason: textOf(facts) };
  } finally {
    await shop.close();
  }
}

async function stateOf({ payments }: MatrixShop): Promise<string> {
  return (await payments.retrieve(ORDER))?.state ?? 'none';
}

type Facts = Awaited<ReturnType<typeof factsOf>>;

async function factsOf(shop: MatrixShop, error: unknown) {
  const money = await shop.money();
  return {
    state: await stateOf(shop),
    money,
    shipped: shop.committed.filter((type) => type === 'paid' || type === 'captured').length,
    reviews: (await shop.payments.retrieve(ORDER))?.review.map(({ reason }) => reason) ?? [],
    findings: await shop.health(),
    error,
    // The last of them: a new link changes the order.
    offered: money.length > 0 ? await payableLink(shop) : null,
  };
}

function verdict({ ends }: Journey, facts: Facts): OutcomeKind {
  const { state, money, offered, shipped, reviews, findings, error } = facts;
  const hasMoney = money.length > 0;
  const captured = money.reduce((sum, row) => sum + Number(row.captured), 0);
  if (shipped > 1 || (shipped === 1 && captured < Number(PRICE))) return 'wrong';
  if (offered !== null) return 'failure';
  if (ends.includes(state) && reviews.length === 0 && error === null) {
    return hasMoney ? 'paid' : 'unpaid';
  }
  if (reviews.length > 0 && findings.length > 0) return 'review';
  const isOver = reviews.length === 0 && !hasMoney && error !== null;
  return isOver ? 'refused' : 'failure';
}

function textOf({ state, money, offered, shipped, reviews, findings, error }: Facts): string {
  const sums = money.map(({ captured, authorized }) => `${captured} of ${authorized}`);
  return [
    `state ${state}`,
    `${sums.join(' + ') || 'no money'} at the gateway`,
    `shipped ${shipped}`,
    `reviews ${reviews.join(' ') || 'none'}`,
    `health ${findings.join(' ') || 'ok'}`,
    ...(offered === null ? [] : ['a second payable link was offered']),
    ...(error instanceof Error ? [error.message] : []),
  ].join('; ');
}

/** A link that the shop offers for an order with money, if the gateway would take a card on it. */
async function payableLink(shop: MatrixShop): Promise<string | null> {
  const answer = await shop.checkout();
  if ('refused' in answer) return null;
  const id = new URL(answer.page).searchParams.get('sessionId') ?? '';
  const { session } = await shop.control.session(id);
  return session.state === 'PENDING' ? answer.page : null;
}
