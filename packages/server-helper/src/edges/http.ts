import type { Readable } from 'node:stream';
import { ReceivedBytes } from '../received-bytes.ts';
import { isIP } from 'node:net';

/** A request to the routes, independent of the framework that took it. */
export interface EdgeRequest {
  readonly method: string;
  /** The part of the request's path that counts as the mount. */
  readonly mount: string;
  /** The path below the mount, still percent-encoded, without a query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The client's address, where the framework knows it. */
  readonly address: string | undefined;
  /** The framework's own request, for `loadOrder`. */
  readonly original: unknown;
  /** @param name - In lower case. */
  header(name: string): string | undefined;
  /** Reads the body once; a body above the limit is dropped, not held in memory. */
  readBody(limitBytes: number): Promise<RawBody>;
}

/** The answer of a route: decided first, sent once, last. */
export interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, a page, or another text; absent for an empty body. */
  readonly json?: unknown;
  readonly html?: string;
  readonly text?: string;
  /** A long text, in pieces that are sent as they are made. */
  readonly stream?: AsyncIterable<string>;
  /** The exception behind a 500, for a framework's own error handlers; never sent. */
  readonly error?: unknown;
}

const securityHeaders: Readonly<Record<string, string>> = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const jsonHeaders = { ...securityHeaders, 'content-type': 'application/json' };

/** All headers of an answer; its own replace the usual ones. */
export function headersOf({ headers, json }: Answer): Readonly<Record<string, string>> {
  const usual = json === undefined ? securityHeaders : jsonHeaders;
  return headers === undefined ? usual : { ...usual, ...headers };
}

/** The body of an answer, if it has one that is no stream. */
export function textOf({ html, json, text }: Answer): string | undefined {
  return html ?? text ?? (json === undefined ? undefined : JSON.stringify(json));
}

/** Sends the shopper to another address with a GET. */
export const seeOther = (location: string): Answer => ({ status: 303, headers: { location } });

/**
 * A body before it is decoded. `parsed` a body parser left its value and not the bytes · `consumed`
 * the body was read and nothing was left · `cut` the sender went away · `late` the body did not arrive
 * in time · `compressed` the bytes are packed.
 */
export type RawBody =
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'parsed'; readonly value: unknown }
  | { readonly kind: 'too_large' | 'consumed' | 'cut' | 'late' | 'compressed' };

/** A sender may not read the answer before it has sent all, so this much more is read and dropped. */
const MAX_DROPPED_BYTES = 1_048_576;

/** Whether a declared length is so far above the limit that the body is not even read and dropped. */
export const isFarTooLarge = (length: number, limitBytes: number): boolean =>
  length > limitBytes + MAX_DROPPED_BYTES;

/** Whether the header `content-encoding` names a compression. */
export const isCompressed = (contentEncoding: string | null | undefined): boolean =>
  !/^(?:identity)?$/i.test(contentEncoding?.trim() ?? '');

/**
 * Collects a body as it arrives. It uses listeners, since an async iterator costs several times as
 * much and may destroy the connection.
 *
 * @param timeoutMs - How long the sender may take.
 */
export function collectBody(
  stream: Readable,
  limitBytes: number,
  timeoutMs: number,
): Promise<RawBody> {
  return new Promise((resolve) => {
    const received = new ReceivedBytes();
    let size = 0;
    const end = (body: RawBody): void => {
      clearTimeout(timer);
      stream.off('data', onData).off('end', onEnd).off('close', onClose);
      resolve(body);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.byteLength;
      if (size <= limitBytes) received.add(chunk);
      else if (isFarTooLarge(size, limitBytes)) end({ kind: 'too_large' });
    };
    const onEnd = (): void => {
      const { bytes } = received;
      end(size > limitBytes ? { kind: 'too_large' } : { kind: 'bytes', bytes });
    };
    const onClose = (): void => end({ kind: 'cut' });
    const timer = setTimeout(() => end({ kind: 'late' }), timeoutMs);
    // 'close' reports a broken connection; without a listener its error would end the process.
    stream.on('error', () => undefined);
    stream.on('data', onData).on('end', onEnd).on('close', onClose);
  });
}

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

/** A request's path, split where the routes are mounted. */
export interface Place {
  readonly mount: string;
  readonly path: string;
}

export const placeAt = (pathname: string, cut: number): Place => ({
  mount: pathname.slice(0, cut),
  path: pathname.slice(cut),
});

/** A whole path, split at the mount; `null` for a path outside the mount. */
export const placeBelow = (pathname: string, mountPath: string): Place | null =>
  `${pathname}/`.toLowerCase().startsWith(`${mountPath}/`.toLowerCase())
    ? placeAt(pathname, mountPath.length)
    : null;
