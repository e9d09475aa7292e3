import { loadPayment } from '../flows/change-payment.ts';
import type { ReviewEntry } from '../flows/money/review-verbs.ts';
import { moneyOfReview } from '../payments/accept-money.ts';
import type { LedgerRow, PaymentRecord } from '../payments/record.ts';
import type { Visit } from './visit.ts';

/** One entry of the review list, with the payment that it is about. */
export interface Matter {
  readonly entry: ReviewEntry;
  readonly record: PaymentRecord | null;
  /** The money that it is about, where the gateway showed some. */
  readonly row: LedgerRow | null;
}

/** What waits for a person, the oldest first. */
export async function listMatters({ office }: Visit, limit: number): Promise<readonly Matter[]> {
  const entries = await office.payments.review.list({ limit });
  return office.parts.run((context) =>
    Promise.all(
      entries
        .slice(0, limit)
        .map(async (entry) => matterOf(entry, await loadPayment(context, entry.orderId))),
    ),
  );
}

/** The matter of an id; `null` where it does not wait any more. */
export async function findMatter({ office }: Visit, id: string): Promise<Matter | null> {
  const entries = await office.payments.review.list({ limit: MOST });
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) return null;
  return office.parts.run(async (context) =>
    matterOf(entry, await loadPayment(context, entry.orderId)),
  );
}

/** The most that the list gives. */
const MOST = 1_000;

const matterOf = (entry: ReviewEntry, record: PaymentRecord | null): Matter => ({
  entry,
  record,
  row: (record && entry.kind === 'payment' && moneyOfReview(record, entry.id).row) || null,
});
