import { isIP } from 'node:net';

/** A longer text is no address; it came from a header. */
const MAX_LENGTH = 64;

/** Machines of one home or office share this much of an IPv6 address, and can change the rest. */
const NETWORK_GROUPS = 4;

/**
 * What a client is counted by: an IPv4 address, or the /64 network of an IPv6 one. `null` for an
 * unknown address and for this machine, which is a proxy or a test and never a shopper.
 */
export function clientOf(address: string | undefined): string | null {
  if (address === undefined || address.startsWith('127.')) return null;
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, '').split('%', 1)[0] ?? '';
  if (plain === '' || plain === '::1' || plain.startsWith('127.')) return null;
  return isIP(plain) === 6 ? networkOf(plain) : plain.slice(0, MAX_LENGTH);
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter((group) => group !== '');
  const after = tail === undefined ? [] : tail.split(':').filter((group) => group !== '');
  const zeros = Array.from({ length: Math.max(0, 8 - before.length - after.length) }, () => '0');
  const groups = tail === undefined ? before : [...before, ...zeros, ...after];
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => Number.parseInt(group, 16));
  return `${network.map((group) => group.toString(16)).join(':')}::/64`;
}
