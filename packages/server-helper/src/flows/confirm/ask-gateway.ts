import type { GatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError, type GatewayErrorCode } from '../../gateway/gateway-error.ts';
import { lackOf, partOf } from '../../gateway/partial-status.ts';
import type { StatusInput } from '../../gateway/schemas/status.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { StatusAnswer } from '../../payments/status-decision.ts';

type AskingGateway = Pick<GatewayClient, 'retrieveStatus'>;

/** A status answer; where the answer is not whole, the reason. */
export type AskedStatus = StatusAnswer & {
  readonly code?: GatewayErrorCode | 'partial_answer';
  readonly httpStatus?: number | undefined;
};

/** What a 404 about a session says: nothing, or that the session has no transaction yet. */
export type NotFound = 'unknown' | 'not-yet';

/** Asks the gateway for the status of an attempt's session or, of a sale, of its transaction. */
export async function askGateway(
  gateway: AskingGateway,
  { sessionId, transactionId }: Attempt,
  notFound: NotFound = 'unknown',
): Promise<AskedStatus> {
  if (sessionId === null) return ask(gateway, { transactionId: transactionId ?? '' });
  const answer = await ask(gateway, { sessionId });
  if (answer.kind !== 'unknown_session' || notFound === 'unknown') return answer;
  return { kind: 'rows', rows: [], unreadableMoney: 0, isWhole: true };
}

async function ask(gateway: AskingGateway, question: StatusInput): Promise<AskedStatus> {
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
      const { unreadable = [] } = lackOf(error) ?? {};
      const unreadableIds = unreadable.filter((id) => id !== null);
      const unreadableMoney = unreadable.length - unreadableIds.length;
      const found = { rows, isWhole: false, unreadableMoney, unreadableIds };
      return { kind: 'rows', ...found, code, httpStatus };
    }
    return { kind: code === 'not_found' ? 'unknown_session' : 'no_answer', code, httpStatus };
  }
}

/** Whether the gateway answered in full. */
export const isWholeAnswer = (answer: StatusAnswer): boolean =>
  answer.kind === 'rows' && answer.isWhole;
