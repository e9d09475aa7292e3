import { openProposals } from '../flows/money/review-verbs.ts';
import { MAX_COUNTED } from '../stores/store.ts';
import type { Fields, Office } from './office.ts';
import type { overviewTexts } from './texts/overview.ts';

/** Something that waits, and where a person acts on it. */
export interface Waiting {
  readonly kind: keyof (typeof overviewTexts)['en']['waits'];
  /** How many; empty where that says nothing. */
  readonly count: string;
  /** Milliseconds since the epoch of the oldest one, where that is known. */
  readonly since: number | null;
  /** The page to act on below the mount; `null` where the kit goes on by itself. */
  readonly page: { readonly address: string; readonly query?: Fields } | null;
}

/** The kit does so much within seconds; older work waits because something is wrong. */
const OVERDUE_MS = 60_000;

const review = { address: 'review' } as const;
const pending = { address: 'orders', query: { state: 'pending' } } as const;
const gateway = { address: 'gateway' } as const;

/** What the store has that waits. */
const backlogIn = ({ parts }: Pick<Office, 'parts'>) =>
  Promise.all([parts.backlog(), parts.run((context) => openProposals(context))]);

/** How many matters the review page has. */
export async function countMatters(office: Pick<Office, 'parts'>): Promise<number> {
  const [{ openReviews, deadLetters }, proposals] = await backlogIn(office);
  return openReviews + deadLetters + proposals.length;
}

/** What waits at this moment, for a person first; empty where all is well. */
export async function waitingIn({ parts, payments }: Office): Promise<readonly Waiting[]> {
  const [backlog, proposals] = await backlogIn({ parts });
  const { oldestDueAt, oldestUndeliveredAt, oldestUnknownAt, oldestFailingAt } = backlog;
  const isOverdue = (at: number | null) => (at ?? Infinity) < parts.clock.now() - OVERDUE_MS;
  const openBreakers = Object.values(payments.gateway.breakers()).filter((one) => one === 'open');
  const drift = payments.gateway.drift().reduce((sum, { count }) => sum + count, 0);
  const all: readonly (Omit<Waiting, 'count'> & { readonly count: number | null })[] = [
    { kind: 'reviews', count: backlog.openReviews, since: null, page: review },
    {
      kind: 'proposals',
      count: proposals.length,
      since: proposals[0]?.createdAt ?? null,
      page: review,
    },
    { kind: 'deadLetters', count: backlog.deadLetters, since: null, page: review },
    {
      kind: 'unknown',
      count: oldestUnknownAt === null ? 0 : null,
      since: oldestUnknownAt,
      page: review,
    },
    { kind: 'failing', count: backlog.failingOrders, since: oldestFailingAt, page: pending },
    {
      kind: 'overdue',
      count: isOverdue(oldestDueAt) ? backlog.dueAttempts : 0,
      since: oldestDueAt,
      page: pending,
    },
    {
      kind: 'undelivered',
      count: isOverdue(oldestUndeliveredAt) ? backlog.undelivered : 0,
      since: oldestUndeliveredAt,
      page: null,
    },
    { kind: 'breaker', count: openBreakers.length === 0 ? 0 : null, since: null, page: gateway },
    { kind: 'drift', count: drift, since: null, page: gateway },
  ];
  return all
    .filter(({ count }) => count !== 0)
    .map((one) => ({ ...one, count: one.count === null ? '' : counted(one.count) }));
}

/** The store counts no further. */
export const counted = (count: number): string =>
  count >= MAX_COUNTED ? `${MAX_COUNTED}+` : String(count);
