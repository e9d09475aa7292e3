import { createHmac, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../errors.ts';
import type { SignatureSettings } from '../options/edge-settings.ts';
import type { EdgeRequest } from './http.ts';
import type { RawBody } from './raw-body.ts';

/** How far the time of a timestamped signature may be from ours, either way. */
const TOLERANCE_MS = 5 * 60_000;

const digestBytes = { sha256: 32, sha512: 64, sha1: 20 } as const;
const forms = { hex: /^(?:[0-9a-f]{2})+$/i, base64: /^[A-Za-z0-9+/_-]+={0,2}$/ } as const;

/**
 * Why a notification counts as unsigned: its header is `missing`, its signature has another `form` than
 * the profile's, its `time` is not ours, or none of the webhook `secret`s made it.
 */
export type SignatureFault = 'missing' | 'form' | 'time' | 'secret';

/** What a header claims: one of the signatures over the text and the body behind it. */
interface Claim {
  readonly isRecent: boolean;
  readonly text: string;
  readonly signatures: readonly Buffer[];
}

/**
 * What lacks until one of the secrets has signed the body: the HMAC of its bytes as they were sent, in
 * the form that the profile names (assumption N14). Every secret is tried, in constant time.
 *
 * @returns `null` for a signature of ours.
 * @throws {@link ConfigurationError} `body_already_read` when a body parser left no bytes.
 */
export function faultOfSignature(
  request: EdgeRequest,
  raw: Extract<RawBody, { kind: 'bytes' | 'parsed' }>,
  settings: SignatureSettings,
  now: number,
): SignatureFault | null {
  const { secrets, header, algorithm } = settings;
  const given = request.header(header)?.trim() ?? '';
  if (given === '') return 'missing';
  const { text, signatures, isRecent } = claimOf(given, settings, now);
  if (signatures.length === 0) return 'form';
  if (!isRecent) return 'time';
  if (raw.kind === 'parsed') throw withoutBytes();
  const digests = secrets.map((secret) =>
    createHmac(algorithm, secret).update(text).update(raw.bytes).digest(),
  );
  const matches = digests.flatMap((digest) =>
    signatures.map((signature) => timingSafeEqual(signature, digest)),
  );
  return matches.includes(true) ? null : 'secret';
}

function claimOf(header: string, settings: SignatureSettings, now: number): Claim {
  if (!settings.timestamped) {
    return { text: '', signatures: decoded([header], settings), isRecent: true };
  }
  const parts = header.split(',').map((part) => part.trim());
  const [, seconds] =
    /^t=(\d{1,12})$/.exec(parts.find((part) => part.startsWith('t=')) ?? '') ?? [];
  const isRecent = Math.abs(Number(seconds) * 1_000 - now) <= TOLERANCE_MS;
  const given = parts.filter((part) => part.startsWith('v1=')).map((part) => part.slice(3));
  return { text: `${seconds}.`, signatures: decoded(given, settings), isRecent };
}

/** The bytes of those texts that have the form and the length of a signature. */
function decoded(
  texts: readonly string[],
  { algorithm, encoding, prefix }: SignatureSettings,
): readonly Buffer[] {
  return texts
    .filter((text) => text.startsWith(prefix))
    .map((text) => text.slice(prefix.length))
    .filter((text) => forms[encoding].test(text))
    .map((text) => Buffer.from(text, encoding))
    .filter((bytes) => bytes.length === digestBytes[algorithm]);
}

/** A 401 would make the developer check the secrets, which are right. */
function withoutBytes(): ConfigurationError {
  return new ConfigurationError(
    'body_already_read',
    'A body parser ran before the payments router and did not keep the bytes, so that the webhook’s signature cannot be checked. Mount the router before the parser, or let it keep them: express.json({ verify: (request, response, bytes) => { request.rawBody = bytes } }).',
  );
}
