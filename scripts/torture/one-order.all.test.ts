import { setTimeout } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { type AuditEntry, recordOf } from '../../packages/server-helper/src/payments/document.ts';
import { logHolds } from '../../packages/server-helper/test-support/histories/log-rules.ts';
import { tortured, type Tortured, type TorturedDatabase } from './database.ts';
import { type Child, startGateway, startShop } from './shop-under-fire.ts';
import { checkout, send, webhook } from './shopper.ts';

/** This takes seconds; a busy machine may take minutes. */
const WAIT_MS = 300_000;
const EACH = 50;
const PROCESSES = 4;
/** A poll waits for some seconds by design, and for a busy machine. */
const LIMIT_MS = 60_000;
/** Long enough for each process to have taken its first request. */
const MEETING_MS = 1_000;

it.each(['sqlite', 'postgres'] as const)(
  '50 returns, 50 webhooks and 50 polls at once, in four processes, ship one order once (%s)',
  async (store) => {
    const street = await openStreet(store);
    const { url, rows, lock, gateway } = street;

    const prompt = await paidOrder(street, '1001');
    await crowd(street, prompt);
    await untilPaid(street, prompt);
    expect((await callsAbout(gateway, prompt)).length).toBeLessThanOrEqual(3);

    // Answers that are kept back: the second look comes after the gap, by another process, and both
    // hear of the money in the same moment, when neither has recorded it.
    const slow = await paidOrder(street, '1002');
    await send(`${gateway.url}/hold?sessionId=${slow.sessionId}&calls=2`, { method: 'POST' });
    // They meet at the order's row as well: all stand before it when it is released.
    const release = await lock(slow.orderId);
    const arriving = crowd(street, slow);
    await setTimeout(MEETING_MS);
    await release();
    await arriving;
    await untilPaid(street, slow);
    await Promise.all(shops(url).map((shop) => send(`${shop}${slow.statusPath}`, {})));
    const statusCalls = await callsAbout(gateway, slow);
    expect(statusCalls.length).toBeGreaterThanOrEqual(2);
    expect(statusCalls.length).toBeLessThanOrEqual(3);
    const [first = 0, second = 0] = statusCalls;
    // The gap is five seconds; a busy machine sends late what it began in time.
    expect(second - first).toBeGreaterThan(1_000);

    const shipped = await rows('SELECT order_id FROM shipments ORDER BY order_id');
    expect(shipped).toEqual([{ order_id: '1001' }, { order_id: '1002' }]);
    expect(await rows('SELECT order_id FROM pay_transactions')).toHaveLength(2);
    const log = await rows(`SELECT CAST(entry AS text) AS entry FROM pay_log
      WHERE order_id = '1002' ORDER BY version`);
    const [stored] = await rows(`SELECT CAST(record AS text) AS record FROM pay_orders
      WHERE order_id = '1002'`);
    const entries = log.map(({ entry }) => JSON.parse(String(entry)) as AuditEntry);
    logHolds(recordOf(String(stored?.['record'])), { log: entries, events: [] });
  },
  WAIT_MS,
);

/** A gateway, and a shop of several processes on one database. */
interface Street {
  readonly gateway: Child;
  /** A process of the shop. */
  readonly url: (index: number) => string;
  readonly rows: TorturedDatabase['rows'];
  readonly lock: TorturedDatabase['lock'];
}

/** An order that the gateway has the money of, and nobody else knows it. */
interface PaidOrder {
  readonly orderId: string;
  readonly sessionId: string;
  readonly statusPath: string;
  /** Where the shopper comes back, after success and after failure. */
  readonly returnPaths: readonly string[];
}

async function openStreet(store: Tortured): Promise<Street> {
  const { database, isPooled, rows, lock, remove } = await tortured[store].make();
  onTestFinished(remove);
  const gateway = await startGateway();
  onTestFinished(() => void gateway.process.kill('SIGKILL'));
  const settings = { database, isPooled, gatewayUrl: gateway.url };
  // The first makes the tables.
  const processes = [await startShop(settings)];
  const others = Array.from({ length: PROCESSES - 1 }, () => startShop(settings));
  processes.push(...(await Promise.all(others)));
  onTestFinished(async () => {
    for (const shop of processes) shop.process.kill('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
  });
  return { gateway, rows, lock, url: (index) => processes[index % PROCESSES]?.url ?? '' };
}

const shops = (url: Street['url']): readonly string[] =>
  Array.from({ length: PROCESSES }, (_one, index) => url(index));

async function paidOrder({ gateway, url }: Street, orderId: string): Promise<PaidOrder> {
  const link = await checkout(url(0), orderId);
  const { search, searchParams } = new URL(link.redirectUrl);
  const sessionId = searchParams.get('sessionId') ?? '';
  const paid = await send(`${gateway.url}/pay${search}`, { method: 'POST' });
  const { successUrl = '', failureUrl = '' } = (await paid.json()) as Record<string, string>;
  const returnPaths = [successUrl, failureUrl].map((address) => new URL(address).pathname);
  return { orderId, sessionId, statusPath: new URL(link.statusUrl).pathname, returnPaths };
}

/** Everybody comes at once, each to another process; all are answered as they should. */
async function crowd({ url }: Street, { orderId, statusPath, returnPaths }: PaidOrder) {
  const sent = Array.from({ length: EACH }, (_one, index) => [
    send(`${url(index)}${returnPaths[index % 2]}`, {}, LIMIT_MS),
    webhook(url(index + 1), orderId, LIMIT_MS),
    poll(`${url(index + 2)}${statusPath}`),
  ]);
  const statuses = (await Promise.all(sent.flat())).map(({ status }) => status);
  expect(statuses).toEqual(sent.flatMap(() => [303, 200, 200]));
}

/** A process that the machine gives no time refuses polls; a page asks again, after the time that the answer gives. */
async function poll(url: string): Promise<Response> {
  const answer = await send(url, {}, LIMIT_MS);
  const retryAfter = answer.headers.get('Retry-After');
  if (answer.status !== 503 || retryAfter === null) return answer;
  expect(await answer.json()).toMatchObject({ code: 'overloaded' });
  await setTimeout(Number(retryAfter) * 1_000);
  return poll(url);
}

/** Asks one process after the other, since one whose look is under way waits for its answer. */
async function untilPaid({ url }: Street, { orderId, statusPath }: PaidOrder): Promise<void> {
  let polls = 0;
  const ask = async () => (await send(`${url((polls += 1))}${statusPath}`, {})).json();
  await expect.poll(ask, { timeout: LIMIT_MS }).toMatchObject({ orderId, state: 'paid' });
}

/** When the gateway was asked about an order. */
async function callsAbout({ url }: Child, { sessionId }: PaidOrder): Promise<readonly number[]> {
  const answer = await send(`${url}/truth`, {});
  const { statusCalls } = (await answer.json()) as { statusCalls: Record<string, number[]> };
  return statusCalls[sessionId] ?? [];
}
