import type { GatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError, type GatewayErrorCode } from '../../gateway/gateway-error.ts';
import { lackOf, partOf } from '../../gateway/partial-status.ts';
import type { Profile } from '../../gateway/profile.ts';
import type { StatusInput } from '../../gateway/schemas/status.ts';
import type { HintedAnswer } from '../../payments/hinted-rows.ts';
import type { LedgerRow } from '../../payments/payment-record.ts';
import type { StatusAnswer } from '../../payments/status-decision.ts';
import type { HintTurn } from '../../payments/transaction-hint.ts';

export type AskingGateway = Pick<GatewayClient, 'retrieveStatus'>;

/** How the gateway's status call answers. */
export type StatusReadings = Pick<Profile['status'], 'asksFor' | 'notFound'>;

/** A status answer; where the answer is not whole, the reason. */
export type AskedStatus = StatusAnswer & {
  readonly code?: GatewayErrorCode | 'partial_answer' | undefined;
  readonly httpStatus?: number | undefined;
};

/** The answer about an attempt, and what the gateway said about transactions that hints named. */
export interface HeardStatus {
  readonly answer: AskedStatus;
  readonly hinted?: HintedAnswer | undefined;
}

/** What the gateway may be asked about an attempt, besides its session. */
export interface KnownTransactions {
  readonly ledger: readonly LedgerRow[];
  readonly hints: HintTurn;
  readonly hasSignOfMoney: boolean;
}

export const sessionReadings: StatusReadings = { asksFor: 'session', notFound: 'unknown' };

/** Asks the gateway one question. */
export async function ask(gateway: AskingGateway, question: StatusInput): Promise<AskedStatus> {
  try {
    const status = await gateway.retrieveStatus(question);
    const rows = { kind: 'rows', rows: status.transactions, unreadableMoney: 0 } as const;
    const missingRows = lackOf(status)?.missing;
    return missingRows === undefined
      ? { ...rows, isWhole: true }
      : { ...rows, isWhole: false, missingRows, code: 'partial_answer' };
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, httpStatus } = error;
    // An unreadable row does not hide another row that says paid.
    const rows = partOf(error);
    if (rows !== undefined) {
      const { unreadable = [], missing: missingRows = 0 } = lackOf(error) ?? {};
      const unreadableIds = unreadable.filter((id) => id !== null);
      const unreadableMoney = unreadable.length - unreadableIds.length;
      const found = { rows, isWhole: false, missingRows, unreadableMoney, unreadableIds };
      return { kind: 'rows', ...found, code, httpStatus };
    }
    return { kind: code === 'not_found' ? 'unknown_session' : 'no_answer', code, httpStatus };
  }
}

/** Whether the gateway refused the question about this one thing. */
export const isRefusal = ({ kind, code }: AskedStatus): boolean =>
  kind === 'no_answer' && (code === 'invalid_request' || code === 'rejected');

/** Whether the gateway answered in full. */
export const isWholeAnswer = (answer: StatusAnswer): boolean =>
  answer.kind === 'rows' && answer.isWhole;

/** Whether the gateway said all that it knows of the attempt, if only that it knows nothing. */
export const isEvidence = (answer: StatusAnswer): boolean =>
  answer.kind === 'unknown_session' ||
  (answer.kind === 'rows' && answer.isWhole && answer.isOfSession !== false);
