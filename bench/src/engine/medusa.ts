import { installIn } from '../../../scripts/process.ts';
import { Child } from '../child.ts';
import { startGateway } from '../gateway.ts';
import { describeMachine, judged, type Measured, median, quarters, ratiosOf } from '../measured.ts';
import type { Places } from '../our-payments.ts';
import type { Tell } from '../parameters.ts';
import { pay, Shop } from '../shop.ts';

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
export async function measureMedusa(places: Places, tell: Tell): Promise<Measured> {
  await installIn('bench/peers/medusa');
  // Medusa's migrations write into the schema `public`, whatever the address says.
  const address = new URL(await places.make('PostgreSQL'));
  address.search = '';
  const program = new URL('../../peers/medusa/pay.cjs', import.meta.url);
  const medusa = new Child<{ readonly paymentsPerSecond: number }>(program, [address.href]);
  await medusa.answer();
  const gateway = await startGateway();
  const ourPlace = { storeName: 'PostgreSQL', address: await places.make('PostgreSQL') } as const;
  const shop = await Shop.start({ shopName: 'ours', gatewayOrigin: gateway.origin, ...ourPlace });
  const ours: number[] = [];
  const theirs: number[] = [];
  try {
    for (let round = 0; round <= ROUNDS; round += 1) {
      tell(round === 0 ? 'warming up' : `round ${round} of ${ROUNDS}`);
      const load = { payments: PAYMENTS.ours, concurrency: CONCURRENCY };
      const { checkout, confirm } = await pay(shop, load);
      const answer = await medusa.ask({ ...load, payments: PAYMENTS.medusa });
      if (round === 0) continue;
      ours.push(1 / (1 / checkout.requestsPerSecond + 1 / confirm.requestsPerSecond));
      theirs.push(answer.paymentsPerSecond);
    }
  } finally {
    await shop.end();
    medusa.end();
    gateway.end();
  }
  const ratios = ratiosOf(ours, theirs);
  const title = `payments a second ÷ Medusa’s payment module, ${CONCURRENCY} at a time:`;
  const each = [ours, theirs].map((rates) => median(rates).toFixed(0));
  const cells = [`≥ ${LEAST}`, median(ratios).toFixed(1), quarters(ratios, 1), ...each];
  return judged(
    [title, 'measured:', 'quarters:', 'ours:', 'theirs:'],
    [{ cells, isMet: median(ratios) >= LEAST }],
    describeMachine(),
  );
}
