import { succeed } from '../../scripts/process.ts';
import { startGateway } from './gateway.ts';
import { describeMachine, judged, type Measured, median, quarters } from './measured.ts';
import { apiKey, findPlaces, storeNames } from './our-payments.ts';
import type { Parameters, Tell } from './parameters.ts';

/** From `createPayments` to the first answer, at most. */
const MOST_MS = { SQLite: 150, PostgreSQL: 300 } as const;

/** What a cold process of the built packages runs: a checkout without a server of its own. */
const program = `
  const [address, origin, orderId] = process.argv.slice(1);
  const { createPayments, postgresStore, sqliteStore } = await import('@pay-button/server-helper');
  const isFile = !address.includes('://');
  const { default: pg } = isFile ? { default: null } : await import('pg');
  const loadedAt = performance.now();
  const payments = createPayments({
    gateway: { environment: 'staging', baseUrl: origin + '/v1', apiKey: '${apiKey}' },
    publicUrl: 'https://shop.example', tokenSecrets: ['a-secret-of-thirty-two-characters!'],
    store: isFile ? sqliteStore({ file: address })
      : postgresStore({ pool: new pg.Pool({ connectionString: address }), endsPool: true }),
    loadOrder: () => ({ orderId, amount: '1.00', customer: { phone: '0501234567' } }),
    pages: { success: '/a', pending: '/b', failure: '/c' } });
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'POST', headers, body: JSON.stringify({ orderId }) };
  const { status } = await payments.handle(new Request('https://shop.example/pay/checkout', asked));
  if (status !== 201) throw new Error('The checkout answered ' + status);
  console.log(JSON.stringify({ answerMs: performance.now() - loadedAt, loadMs: loadedAt }));
  await payments.close();`;

/** What a cold process takes: until the kit is loaded, and from `createPayments` to its first answer. */
export async function measureStart(tell: Tell, { rounds = 9 }: Parameters): Promise<Measured> {
  await succeed('node', ['scripts/build.ts']);
  const [places, gateway] = [await findPlaces(), await startGateway()];
  try {
    const verdicts = [];
    for (const storeName of storeNames) {
      const address = await places.make(storeName);
      const took: { readonly answerMs: number; readonly loadMs: number }[] = [];
      // The first start of all makes the tables, and is not counted.
      for (let round = 0; round <= rounds; round += 1) {
        tell(`${storeName}, start ${round} of ${rounds}`);
        const args = ['--input-type=module', '-e', program, address, gateway.origin, `o${round}`];
        const said = await succeed(process.execPath, args);
        const answer = said.slice(said.lastIndexOf('{'));
        if (round > 0) took.push(JSON.parse(answer) as (typeof took)[number]);
      }
      const answers = took.map(({ answerMs }) => answerMs);
      const loads = took.map(({ loadMs }) => loadMs);
      const figures = [answers, loads].flatMap((one) => [median(one).toFixed(0), quarters(one, 0)]);
      const isMet = median(answers) <= MOST_MS[storeName];
      verdicts.push({ cells: [storeName, MOST_MS[storeName], ...figures], isMet });
    }
    const titles = 'store|at most:|first answer, ms:|quarters:|until loaded, ms:|quarters:';
    return judged(titles.split('|'), verdicts, `${rounds} starts. ${describeMachine()}`);
  } finally {
    gateway.end();
    await places.end();
  }
}
