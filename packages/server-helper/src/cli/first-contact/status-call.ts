import { isFields, type Answer, type Fields } from './gateway-line.ts';
import type { QueryName, Visit } from './visit.ts';

/** Asks about a session or a transaction (§4.2). */
export const askStatus = (
  { line, apiKey }: Visit,
  name: QueryName,
  id: string,
  key: string = apiKey,
): Promise<Answer> =>
  line.ask({
    method: 'GET',
    path: '/payment/checkout/status',
    query: { [name]: id },
    headers: { 'x-api-key': key },
  });

/** The rows of a status answer; `null` where it holds no list of them. */
export function rowsOf({ status, body }: Answer): readonly Fields[] | null {
  const data = status === 200 && isFields(body) ? body['data'] : undefined;
  const content = isFields(data) ? data['content'] : undefined;
  return Array.isArray(content) ? content.filter(isFields) : null;
}

/** Whether the gateway knows what it was asked about, and says what happened there. */
export const isKnown = (answer: Answer | undefined): boolean =>
  answer !== undefined && (rowsOf(answer)?.length ?? 0) > 0;

/** Remembers the words of each transaction, to see how they change (N5). */
export function remember({ history }: Visit, rows: readonly Fields[]): void {
  for (const { transactionId, transactionStatus } of rows) {
    if (typeof transactionId !== 'string' || typeof transactionStatus !== 'string') continue;
    const words = history.get(transactionId) ?? [];
    if (words.at(-1) !== transactionStatus) words.push(transactionStatus);
    history.set(transactionId, words);
  }
}
