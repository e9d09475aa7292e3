import type { Attempt } from '../../payments/attempt.ts';
import {
  ask,
  type AskingGateway,
  type HeardStatus,
  type KnownTransactions,
  type StatusReadings,
} from './ask-status.ts';
import { askTransactions } from './ask-transactions.ts';

/** An answer without rows. */
const noRows = { kind: 'rows', rows: [], unreadableMoney: 0 } as const;

/**
 * Asks the gateway for the status of an attempt: of its session or, of a sale, of its transaction. A
 * gateway that answers transactions only is asked about those that the attempt is known to have, and about
 * those that hints named.
 */
export async function askGateway(
  gateway: AskingGateway,
  attempt: Attempt,
  { asksFor, notFound }: StatusReadings,
  known: KnownTransactions,
): Promise<HeardStatus> {
  const { sessionId, transactionId } = attempt;
  if (sessionId === null) {
    return { answer: await ask(gateway, { transactionId: transactionId ?? '' }) };
  }
  let isSessionEmpty = false;
  if (asksFor !== 'transaction') {
    const answer = await ask(gateway, { sessionId });
    const isUnknown = answer.kind === 'unknown_session';
    // A gateway that knows transactions only may have an empty answer for any other id.
    const isEmpty = answer.kind === 'rows' && answer.isWhole && answer.rows.length === 0;
    isSessionEmpty = isEmpty || (isUnknown && notFound === 'not-yet');
    if (asksFor === 'session') {
      return { answer: isSessionEmpty ? { ...noRows, isWhole: true } : answer };
    }
    if (!isUnknown && !isEmpty) return { answer };
  }
  const own = known.ledger
    .filter(({ attemptNumber, kind }) => attemptNumber === attempt.number && kind !== 'charge')
    .map((row) => row.transactionId);
  return askTransactions((id) => ask(gateway, { transactionId: id }), own, known, isSessionEmpty);
}
