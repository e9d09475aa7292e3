import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlClient } from '@pay-button/gateway-sandbox';
import { ShopClock } from '../qa/shop-clock.ts';

/** The shop's clock where it stood when the shop stopped, or further on with the sandbox's. */
export async function keptClock(
  control: Pick<ControlClient, 'info'>,
  dataFolder: string,
): Promise<ShopClock> {
  const file = join(dataFolder, 'clock-ahead');
  const ahead = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
  const clock = new ShopClock(Number.isFinite(ahead) ? ahead : 0, (aheadMs) => {
    writeFileSync(file, String(aheadMs));
  });
  const { clock: sandbox } = await control.info();
  clock.follow(Date.parse(sandbox.now), clock.now());
  return clock;
}
