import { openEnvelope } from '../../gateway/meaning.ts';
import { refusesQuestion } from '../../gateway/meaning.ts';
import { asPage, saysNothing, statusData } from '../../gateway/status.ts';
import {
  isFields,
  isInvalid,
  isSuccess,
  type Answer,
  type Fields,
  type GatewayLine,
  type Question,
} from './gateway-line.ts';
import { queryNames, type Asked, type QueryName, type Visit } from './visit.ts';

/** Asks about a session or a transaction (§4.2). */
export const askStatus = (
  line: GatewayLine,
  name: QueryName,
  id: string,
  credential?: Question['credential'],
): Promise<Answer> =>
  line.ask({
    method: 'GET',
    path: '/payment/checkout/status',
    query: { [name]: id },
    ...(credential === undefined ? {} : { credential }),
  });

/** Asks by both names of the query. */
export const askByBothNames = async (line: GatewayLine, id: string): Promise<Asked> => ({
  id: await askStatus(line, 'id', id),
  sessionId: await askStatus(line, 'sessionId', id),
});

/** The rows of a status answer; `null` where it holds no list of them. */
export function rowsOf({ status, body }: Answer): readonly Fields[] | null {
  const data = status === 200 && isFields(body) ? body['data'] : undefined;
  const page = asPage(data ?? false);
  const content = isFields(page) ? page['content'] : undefined;
  return Array.isArray(content) ? content.filter(isFields) : null;
}

/** What a shop makes of a status answer. */
export type Made = 'rows' | 'no rows' | 'unknown' | 'unreadable';

/** Reads a status answer as this kit's client does. */
export function readStatus(answer: Answer): Made {
  const opened = openEnvelope('A', answer.body, saysNothing);
  const isCoded = opened.kind === 'error' && Number(opened.errorCode) === 404;
  if (refusesQuestion(answer) && (answer.status === 404 || isCoded)) return 'unknown';
  if (!isSuccess(answer) || opened.kind !== 'data') return 'unreadable';
  const page = statusData.safeParse(opened.data).data;
  if (page === undefined || (page.totalElements ?? 0) > page.content.length) return 'unreadable';
  return page.content.length > 0 ? 'rows' : 'no rows';
}

/** Whether the gateway knows what it was asked about, and says what happened there. */
export const isKnown = (answer: Answer | undefined): boolean =>
  answer !== undefined && (rowsOf(answer)?.length ?? 0) > 0;

/** The rows of whichever of the two answers has some. */
export const rowsIn = (asked: Asked | undefined): readonly Fields[] =>
  queryNames
    .map((name) => asked && rowsOf(asked[name]))
    .find((rows) => rows !== undefined && rows !== null && rows.length > 0) ?? [];

/** The rows of the payment now, by every name of the query that was not refused before it. */
export async function rowsNow(visit: Visit): Promise<readonly Fields[]> {
  const { line, session, transaction, unpaid } = visit;
  const rows: Fields[] = [];
  for (const id of [session, transaction]) {
    if (id === undefined || rows.length > 0) continue;
    for (const name of queryNames) {
      if (rows.length > 0 || (unpaid !== undefined && isInvalid(unpaid[name]))) continue;
      rows.push(...(rowsOf(await askStatus(line, name, id)) ?? []));
    }
  }
  remember(visit, rows);
  return rows;
}

/** Remembers the words of each transaction, to see how they change (N5). */
export function remember({ history }: Visit, rows: readonly Fields[]): void {
  for (const { transactionId, transactionStatus } of rows) {
    if (typeof transactionId !== 'string' || typeof transactionStatus !== 'string') continue;
    const words = history.get(transactionId) ?? [];
    if (words.at(-1) !== transactionStatus) words.push(transactionStatus);
    history.set(transactionId, words);
  }
}
