import type { IncomingMessage } from 'node:http';
import { clientOf } from '../edges/client-address.ts';
import type { EdgeRequest } from '../edges/http.ts';
import { placeBelow, type Place } from '../edges/place.ts';
import { collectBody, isCompressed, isFarTooLarge, type RawBody } from '../edges/raw-body.ts';

/** What frameworks put on Node's own request; each of them some of it. */
export interface FramedRequest extends IncomingMessage {
  /** Express: the path that the router is mounted at, taken off `url`. */
  readonly baseUrl?: string;
  /** Express, Connect, middie: `url` before a mount was taken off. */
  readonly originalUrl?: string;
  /** The shopper's address, as the framework found it behind its proxies. */
  readonly ip?: string;
  /** Express: the app and its settings. */
  readonly app?: { get(setting: string): unknown };
  /** What a body parser left. */
  readonly body?: unknown;
  readonly rawBody?: unknown;
}

/**
 * Splits a request's path at the mount that a framework took off. A path that is still whole is split
 * at one of `mounts`, and is the shop's own when it is below none. The path of the mount itself,
 * without a slash behind it, is empty below it.
 */
export function placeIn(
  { url = '/', originalUrl = url, baseUrl }: FramedRequest,
  mounts: readonly string[],
): Place | null {
  const path = pathOf(url);
  const whole = pathOf(originalUrl);
  const mount = baseUrl ?? takenOff(whole, path);
  if (mount !== '') return { mount, path: whole === mount ? '' : path };
  return mounts.map((one) => placeBelow(path, one)).find((place) => place !== null) ?? null;
}

/** A proxy may write the whole address behind the method, and RFC 9112 has every server take that. */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/[^/?]*/i;

const pathOf = (url: string): string => url.replace(ORIGIN, '').split('?', 1)[0] ?? '';

/** What a framework took off the front of a path. */
const takenOff = (whole: string, rest: string): string =>
  whole.endsWith(rest) ? whole.slice(0, -rest.length) : whole;

/** All clients that claim by a header to be this machine count as one. */
const CLAIMED = 'forwarded loopback';

/** A request of Node’s own, as the routes read it. */
export class NodeRequest implements EdgeRequest {
  readonly original: FramedRequest;
  readonly mount: string;
  readonly path: string;
  readonly #bodyTimeoutMs: number;

  constructor(request: IncomingMessage, { mount, path }: Place, bodyTimeoutMs: number) {
    this.original = request;
    this.mount = mount;
    this.path = path;
    this.#bodyTimeoutMs = bodyTimeoutMs;
  }

  get method(): string {
    return this.original.method ?? 'GET';
  }

  /** Limits do not count this machine, so a header that any client can write may not claim to be it. */
  get address(): string | undefined {
    const { ip = this.original.socket.remoteAddress, headers } = this.original;
    const isClaimed = headers['x-forwarded-for'] !== undefined && clientOf(ip) === null;
    return isClaimed && trustsEveryone(this.original) ? CLAIMED : ip;
  }

  get query(): URLSearchParams {
    return new URLSearchParams((this.original.url ?? '').split('?').slice(1).join('?'));
  }

  header(name: string): string | undefined {
    const value = this.original.headers[name];
    return Array.isArray(value) ? value.join(', ') : value;
  }

  async readBody(limitBytes: number): Promise<RawBody> {
    const { headers, readableDidRead, destroyed } = this.original;
    const length = Number(headers['content-length'] ?? 0);
    if (isFarTooLarge(length, limitBytes)) return { kind: 'too_large' };
    if (readableDidRead) {
      return length > limitBytes ? { kind: 'too_large' } : leftByParser(this.original, limitBytes);
    }
    if (destroyed) return { kind: 'cut' };
    if (isCompressed(headers['content-encoding'])) return { kind: 'compressed' };
    return collectBody(this.original, limitBytes, this.#bodyTimeoutMs);
  }
}

/** The body that a parser left: its bytes in `rawBody` or `body`, or else its value. */
function leftByParser(
  { rawBody, body }: { readonly rawBody?: unknown; readonly body?: unknown },
  limitBytes: number,
): RawBody {
  const left = Buffer.isBuffer(rawBody) ? rawBody : body;
  const bytes = typeof left === 'string' ? Buffer.from(left) : left;
  if (Buffer.isBuffer(bytes)) {
    return bytes.byteLength > limitBytes ? { kind: 'too_large' } : { kind: 'bytes', bytes };
  }
  return bytes === undefined ? { kind: 'consumed' } : { kind: 'parsed', value: bytes };
}

/** An address of no host (RFC 5737), further away than any number of proxies. */
const STRANGER = '192.0.2.1';
const FAR_AWAY = 1_000;

/** Whether the app trusts an address that any client may have written into a header. */
export function trustsEveryone({ app }: FramedRequest): boolean {
  const isTrusted: unknown = app?.get('trust proxy fn');
  return typeof isTrusted === 'function' && isTrusted(STRANGER, FAR_AWAY) === true;
}
