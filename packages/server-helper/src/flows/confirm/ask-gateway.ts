import type { GatewayClient } from '../../gateway/gateway-client.ts';
import { GatewayError, type GatewayErrorCode } from '../../gateway/gateway-error.ts';
import { lackOf, partOf } from '../../gateway/partial-status.ts';
import type { Attempt } from '../../payments/attempt.ts';
import type { StatusAnswer } from '../../payments/status-decision.ts';

/** A status answer; where the answer is not whole, the reason. */
export type AskedStatus = StatusAnswer & {
  readonly code?: GatewayErrorCode | 'partial_answer';
  readonly httpStatus?: number | undefined;
};

/** Asks the gateway for the status of an attempt's session or, of a sale, of its transaction. */
export async function askGateway(
  gateway: Pick<GatewayClient, 'retrieveStatus'>,
  { sessionId, transactionId }: Attempt,
): Promise<AskedStatus> {
  try {
    const status = await gateway.retrieveStatus(
      sessionId === null ? { transactionId: transactionId ?? '' } : { sessionId },
    );
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
