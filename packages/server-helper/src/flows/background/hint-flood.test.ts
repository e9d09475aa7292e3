import { expect, it } from 'vitest';
import { Outage } from '../../../test-support/outage.ts';

const SECOND_MS = 1_000;
const HOUR_MS = 3_600 * SECOND_MS;
const KNOWN = 3_000;
const FORGED_A_SECOND = 300;
/** A young link is checked at this age without any hint, or a fifth later. */
const FIRST_CHECK_MS = 15 * SECOND_MS;
/** This takes seconds; a busy machine may take minutes. */
const WAIT_MS = 300_000;

it(
  'a flood of forged hints about 3,000 orders makes no young link wait longer, with a hint or without',
  async () => {
    const shop = new Outage(1);
    const known = await shop.openLinks(KNOWN, 4 * HOUR_MS);
    shop.startWatch();
    let forged = 0;
    const flood = async (seconds: number): Promise<void> => {
      for (let second = 0; second < seconds; second += 1) {
        for (let hints = 0; hints < FORGED_A_SECOND; hints += 1, forged += 1) {
          await shop.hint(known[forged % KNOWN] ?? '');
        }
        await shop.pass(SECOND_MS);
      }
    };
    await flood(60);
    for (const hasHint of [false, true, false, true]) {
      const [honest = ''] = await shop.openLinks(1, 0);
      const openedAt = shop.now;
      shop.payNewest();
      if (hasHint) await shop.hint(honest);
      for (let waits = 0; waits < 180 && !(await shop.isKnown(honest)); waits += 1) await flood(1);
      expect(shop.now - openedAt).toBeLessThan(hasHint ? 5 * SECOND_MS : 2 * FIRST_CHECK_MS);
    }
  },
  WAIT_MS,
);
