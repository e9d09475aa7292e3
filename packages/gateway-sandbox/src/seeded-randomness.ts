import { createHash } from 'node:crypto';
import type { Randomness } from './domain/command.ts';

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
  let bytes: Buffer = Buffer.alloc(0);
  const take = (count: number): Buffer => {
    while (bytes.length < count) {
      const source = JSON.stringify([seed, tenant, occasion, block]);
      bytes = Buffer.concat([bytes, createHash('sha256').update(source).digest()]);
      block += 1;
    }
    const taken = bytes.subarray(0, count);
    bytes = bytes.subarray(count);
    return taken;
  };
  return {
    uuid: () => {
      const raw = Buffer.from(take(16));
      raw[6] = ((raw[6] ?? 0) & 0x0f) | 0x40;
      raw[8] = ((raw[8] ?? 0) & 0x3f) | 0x80;
      const hex = raw.toString('hex');
      return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
    },
    digits: (count) => Array.from(take(count), (byte) => String(byte % 10)).join(''),
  };
}
