import { Session } from 'node:inspector/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startGateway } from './gateway.ts';
import { type Measured, table } from './measured.ts';
import { findPlaces, ourPayments, poolOf, storeAt } from './our-payments.ts';
import { type StoreName, storeNames } from './our-payments.ts';

const OURS = '/packages/server-helper/src/';

/** What work that follows an answer needs to end. */
const REST_MS = 250;

/** How much of our source one request runs, and the statements that it sends to PostgreSQL. */
type Trip = Readonly<Record<'files' | 'functions' | 'statements', number>>;

/**
 * Counts the files and functions of server-helper's source that one checkout and one webhook run, up
 * to the paid order. V8 counts the calls: a function is counted once, however often it is called,
 * arrow functions and getters too; a file counts when one of its functions ran. A transaction's begin and
 * end count as statements.
 */
export async function measureTrips(): Promise<Measured> {
  const places = await findPlaces();
  const rows: (readonly (string | number)[])[] = [];
  try {
    for (const storeName of storeNames) {
      const [checkout, webhook] = await tripsOn(storeName, await places.make(storeName));
      rows.push([`\`POST /checkout\` on ${storeName}`, ...Object.values(checkout)]);
      rows.push([`a webhook to \`paid\` on ${storeName}`, ...Object.values(webhook)]);
    }
  } finally {
    await places.end();
  }
  const head = ['trip', 'files', 'functions', 'statements'];
  return { markdown: table(head, rows).join('\n'), isWithinBudget: true };
}

async function tripsOn(storeName: StoreName, address: string): Promise<readonly [Trip, Trip]> {
  const gateway = await startGateway();
  const pool = storeName === 'PostgreSQL' ? poolOf(address) : undefined;
  let committed: (() => void) | undefined;
  const payments = ourPayments(gateway.origin, storeAt(storeName, address, pool), {
    inTransaction: () => committed?.(),
    on: {},
  });
  const post = (route: string, content: object): Promise<Response> => {
    const headers = { 'content-type': 'application/json' };
    const asked = { method: 'POST', headers, body: JSON.stringify(content) };
    return payments.handle(new Request(`https://shop.example/pay/${route}`, asked));
  };
  const checkOut = async (orderId: string): Promise<void> => {
    const { status } = await post('checkout', { orderId });
    if (status !== 201) throw new Error(`A checkout answered ${status}.`);
  };
  const confirm = async (orderId: string): Promise<void> => {
    const paid = new Promise<void>((resolve) => (committed = resolve));
    await post('webhook', { merchantOrderId: `${orderId}~1` });
    await paid;
  };
  try {
    // What is made once, like a table or a connection, belongs to no trip.
    await checkOut('first');
    await confirm('first');
    await sleep(REST_MS);
    return [await count(() => checkOut('second')), await count(() => confirm('second'))];
  } finally {
    await payments.close();
    await pool?.end();
    gateway.end();
  }
}

/** How many statements this process has sent to PostgreSQL. */
let sent = 0;
const query: unknown = Reflect.get(pg.Client.prototype, 'query');
Reflect.set(pg.Client.prototype, 'query', function (this: pg.Client, ...given: unknown[]): unknown {
  sent += 1;
  return Reflect.apply(query as () => unknown, this, given);
});

async function count(run: () => Promise<void>): Promise<Trip> {
  const session = new Session();
  session.connect();
  try {
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    await session.post('Profiler.takePreciseCoverage');
    const before = sent;
    await run();
    await sleep(REST_MS);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const ours = result
      .filter(({ url }) => url.includes(OURS))
      .map(({ functions }) => functions.filter(({ ranges }) => (ranges[0]?.count ?? 0) > 0).length)
      .filter((functions) => functions > 0);
    const functions = ours.reduce((sum, one) => sum + one, 0);
    return { files: ours.length, functions, statements: sent - before };
  } finally {
    session.disconnect();
  }
}
