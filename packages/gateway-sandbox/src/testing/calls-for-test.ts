import type { Sandbox } from '../start-sandbox.ts';
import { send } from './wire-for-test.ts';
import type { WireAnswer } from './wire-for-test.ts';

/** Where calls go, and with which key: a sandbox, or one of its tenants. */
type Called = Pick<Sandbox, 'baseUrl' | 'apiKey'>;

/** Asks staging with the staging key. */
export const ask = (sandbox: Called, path: string): Promise<WireAnswer> =>
  send(sandbox.baseUrl + path, { headers: { 'x-api-key': sandbox.apiKey } });

/** Posts to staging with the staging key. */
export function post(sandbox: Called, path: string, body: unknown): Promise<WireAnswer> {
  return send(sandbox.baseUrl + path, {
    method: 'POST',
    headers: { 'x-api-key': sandbox.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

export const getStatus = (sandbox: Called, id: string): Promise<WireAnswer> =>
  ask(sandbox, `/payment/checkout/status?id=${encodeURIComponent(id)}`);

/** The rows of a status answer. */
export async function statusContent(sandbox: Called, id: string) {
  const { body } = await getStatus(sandbox, id);
  return (body as { data: { content: Record<string, string>[] } }).data.content;
}

/** The `transactionStatus` of each row of a status answer, the oldest first. */
export const statusesOf = async (sandbox: Called, id: string): Promise<string> =>
  (await statusContent(sandbox, id)).map((row) => row['transactionStatus']).join(' ');

/** `data` of an answer in envelope A. */
export function dataOf({ body }: WireAnswer): Record<string, unknown> {
  return (body as { data: Record<string, unknown> }).data;
}

/** The one row of a transaction's status. */
export async function rowOf(sandbox: Called, id: string): Promise<Record<string, string>> {
  const [row, ...others] = await statusContent(sandbox, id);
  if (row === undefined || others.length > 0) throw new Error('There is not exactly one row.');
  return row;
}
