import { createHash } from 'node:crypto';
import type { Randomness } from '../domain/tenant.ts';

/**
 * Chance that can be repeated: the same seed, tenant and occasion give the same draws, so replies
 * are byte-identical and a journal replays to the same ids. The occasion is a command's number, or
 * a timer's name: when a timer fires does not change what the next command draws.
 */
export function seededRandomness(
  seed: string,
  tenant: string,
  occasion: number | string,
): Randomness {
  let block = 0;
  let hex = '';
  /** The next bytes, two hexadecimal digits each. */
  const take = (count: number): string => {
    while (hex.length < 2 * count) {
      const text = JSON.stringify([seed, tenant, occasion, block]);
      hex += createHash('sha256').update(text).digest('hex');
      block += 1;
    }
    const taken = hex.slice(0, 2 * count);
    hex = hex.slice(2 * count);
    return taken;
  };
  return {
    uuid: () => {
      const raw = take(16);
      const variant = ((Number.parseInt(raw.charAt(16), 16) & 0x3) | 0x8).toString(16);
      return `${raw.slice(0, 8)}-${raw.slice(8, 12)}-4${raw.slice(13, 16)}-${variant}${raw.slice(17, 20)}-${raw.slice(20)}`;
    },
    digits: (count) =>
      Array.from({ length: count }, () => Number.parseInt(take(1), 16) % 10).join(''),
  };
}
