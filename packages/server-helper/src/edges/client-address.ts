import { isIP } from 'node:net';

/** A longer text is no address; it came from a header. */
const MAX_LENGTH = 64;

/** The machines of one home or office share these groups of an IPv6 address and choose the rest. */
const NETWORK_GROUPS = 4;

/**
 * The key by which limits count a client: an IPv4 address, also behind a translator (NAT64), or the
 * /64 network of an IPv6 address, in any spelling, without the port. All clients without an address are
 * one; a text that is no address is a client of its own, since a shop may hand hashed addresses over.
 * `null` for this machine, which is a proxy or a test and never a shopper.
 */
export function clientOf(address: string | undefined): string | null {
  const host = hostOf((address ?? '').slice(0, MAX_LENGTH).trim().replaceAll('"', ''));
  // A text that is no address came from a header that any client may have written.
  if (host === '') return 'unknown';
  if (isIP(host) === 4) return host.startsWith('127.') ? null : host;
  if (isIP(host) !== 6) return host.toLowerCase();
  const groups = groupsOf(host);
  const prefix = groups.slice(0, 6).join(':');
  if (prefix === MAPPED) return clientOf(ipv4In(groups));
  if (prefix === TRANSLATED) return ipv4In(groups);
  if (groups.join(':') === '0:0:0:0:0:0:0:1') return null;
  return `${groups.slice(0, NETWORK_GROUPS).join(':')}::/64`;
}

/** `[2001:db8::1]:443`, `203.0.113.9:443`, `unknown:_443`, an IPv6 address with its zone: the host. */
function hostOf(address: string): string {
  const [, inBrackets, beforePort] = /^\[([^\]]*)\]|^([^:]*):[^:]*$/.exec(address) ?? [];
  return (inBrackets ?? beforePort ?? address).split('%', 1)[0] ?? '';
}

/** The eight groups of an IPv6 address, in the one spelling that `URL` gives each. */
function groupsOf(address: string): readonly string[] {
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const groupsIn = (text = ''): readonly string[] => text.split(':').filter((one) => one !== '');
  const [before, after] = [groupsIn(head), groupsIn(tail)];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after];
}

/** How IPv6 addresses begin that hold an IPv4 address: `::ffff:…`, and `64:ff9b::…` of NAT64. */
const MAPPED = '0:0:0:0:0:ffff';
const TRANSLATED = '64:ff9b:0:0:0:0';

/** The IPv4 address at the end of an IPv6 address. */
function ipv4In(groups: readonly string[]): string {
  const bytes = groups.slice(6).flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
  return bytes.join('.');
}
