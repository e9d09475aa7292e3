import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ControlClient } from '@pay-button/gateway-sandbox';
import type { Clock } from '@pay-button/server-helper';

/** Smaller differences are the time that the request takes. */
const TOLERANCE_MS = 1_000;

/**
 * The shop's time when its gateway is the sandbox. It follows the sandbox's clock forward. It never
 * goes back, since the shop's records would then be in its future: when the sandbox's clock is set
 * back or frozen, this clock runs on, ahead of the sandbox's by the difference.
 */
export class ShopClock implements Clock {
  #offsetMs = 0;
  /** How far it is ahead of the sandbox's clock, in milliseconds. */
  aheadMs: number;
  readonly #keep: (aheadMs: number) => void;

  /**
   * @param aheadMs - How far ahead of the sandbox's clock it was when the shop stopped.
   * @param keep - Writes down how far it is ahead, for the next start.
   */
  constructor(aheadMs = 0, keep: (aheadMs: number) => void = () => undefined) {
    this.aheadMs = aheadMs;
    this.#keep = keep;
  }

  now(): number {
    return Date.now() + this.#offsetMs;
  }

  /** The sandbox's time is the truth here: to move the clock is no leap. */
  monotonic(): number {
    return this.now();
  }

  /** Waits in real time: moving a clock ends no wait. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    await wait(milliseconds, undefined, { ref: false, ...(signal && { signal }) });
  }

  /**
   * Follows the sandbox's clock.
   *
   * @param sandboxNow - What it said, in milliseconds since the epoch.
   * @param askedAt - This clock's time when it was asked.
   */
  follow(sandboxNow: number, askedAt: number): void {
    const target = sandboxNow + this.aheadMs;
    const now = this.now();
    if (target > now + TOLERANCE_MS) this.#offsetMs += target - now;
    else if (target < askedAt - TOLERANCE_MS) {
      this.aheadMs += Math.round(askedAt - target);
      this.#keep(this.aheadMs);
    }
  }
}

/** The shop's clock as it was when the shop stopped, or further ahead with the sandbox's. */
export async function storedClock(
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
