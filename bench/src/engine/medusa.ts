import { Child } from '../child.ts';
import { describeMachine } from '../machine.ts';
import type { Measured } from '../measured.ts';
import { installPeer, type Peer } from '../peer.ts';
import { median, quantile } from '../quantile.ts';
import type { Places } from './places.ts';
import { BenchShop } from './shop.ts';

const peer: Peer = {
  name: 'Medusa’s payment module',
  folder: 'medusa',
  file: '@medusajs/payment/package.json',
};
const CONCURRENCY = 64;
const PAYMENTS = { ours: 1_536, medusa: 256 } as const;
const ROUNDS = 5;

/** Our payments a second, as a multiple of the peer's, at least. */
const LEAST = 5;

/**
 * A payment beside one of Medusa's payment module on the same PostgreSQL: theirs is initiated and
 * authorized by a call in its own process, without a gateway; ours is a checkout and a confirmation
 * over HTTP at a gateway that answers at once.
 */
export async function measureMedusa(
  places: Places,
  onProgress: (text: string) => void,
): Promise<Omit<Measured, 'marks'>> {
  await installPeer(peer, onProgress);
  const gateway = new Child<number>(new URL('gateway.ts', import.meta.url), ['0']);
  // Medusa's migrations write into the schema `public`, whatever the address says.
  const address = new URL(await places.make('PostgreSQL'));
  address.search = '';
  const program = new URL('../../peers/medusa/pay.cjs', import.meta.url);
  const medusa = new Child<unknown>(program, [address.href]);
  await medusa.started();
  const origin = `http://127.0.0.1:${await gateway.started()}`;
  const shop = await BenchShop.start('ours', 'PostgreSQL', origin, await places.make('PostgreSQL'));
  const rates = { ours: [] as number[], medusa: [] as number[] };
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      onProgress(round === 0 ? 'warming up' : `round ${round} of ${ROUNDS}`);
      const ours = await paymentsPerSecond(shop);
      const message = { payments: PAYMENTS.medusa, concurrency: CONCURRENCY };
      const answer = (await medusa.ask(message)) as { readonly paymentsPerSecond: number };
      if (round === 0) continue;
      rates.ours.push(ours);
      rates.medusa.push(answer.paymentsPerSecond);
    }
  } finally {
    await shop.end();
    medusa.end();
    gateway.end();
  }
  return report(rates);
}

async function paymentsPerSecond(shop: BenchShop): Promise<number> {
  const { checkout, confirm } = await shop.pay(PAYMENTS.ours, CONCURRENCY);
  return 1 / (1 / checkout.requestsPerSecond + 1 / confirm.requestsPerSecond);
}

function report(rates: { readonly ours: number[]; readonly medusa: number[] }) {
  const ratios = rates.ours.map((ours, round) => ours / (rates.medusa[round] ?? Number.NaN));
  const [lower, ratio, upper] = [0.25, 0.5, 0.75].map((share) => quantile(ratios, share));
  const isMet = (ratio ?? 0) >= LEAST;
  const cells = [
    `≥ ${LEAST}`,
    ratio?.toFixed(1),
    `${lower?.toFixed(1)} to ${upper?.toFixed(1)}`,
    median(rates.ours).toFixed(0),
    median(rates.medusa).toFixed(0),
    isMet ? 'met' : '**not met**',
  ];
  const lines = [
    `| payments a second ÷ Medusa’s payment module, ${CONCURRENCY} at a time | measured | quarters | ours | theirs | |`,
    '|---:|---:|---:|---:|---:|---|',
    `| ${cells.join(' | ')} |`,
    '',
    describeMachine(),
  ];
  return { markdown: lines.join('\n'), isWithinBudget: isMet };
}
