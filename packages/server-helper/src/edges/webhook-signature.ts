import { createHmac, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../errors.ts';
import type { EdgeRequest, RawBody } from './edge-request.ts';
import type { SignatureSettings } from '../options/edge-settings.ts';

const SIGNATURE = /^[0-9a-f]{64}$/i;

/**
 * Whether one of the secrets signed the body: hex HMAC-SHA-256 of its bytes as they were sent
 * (assumption N14). Every secret is tried, in constant time.
 *
 * @throws {@link ConfigurationError} `body_already_read` when a body parser kept no bytes.
 */
export function isSigned(
  request: EdgeRequest,
  raw: Extract<RawBody, { kind: 'bytes' | 'parsed' }>,
  { secrets, header }: SignatureSettings,
): boolean {
  const told = request.header(header)?.trim() ?? '';
  if (!SIGNATURE.test(told)) return false;
  if (raw.kind === 'parsed') throw withoutBytes();
  const given = Buffer.from(told, 'hex');
  const matches = secrets.map((secret) =>
    timingSafeEqual(given, createHmac('sha256', secret).update(raw.bytes).digest()),
  );
  return matches.includes(true);
}

/** A 401 would send the reader to the secrets, which are right. */
function withoutBytes(): ConfigurationError {
  return new ConfigurationError(
    'body_already_read',
    'A body parser ran before the payments router and did not keep the bytes, so that the webhook’s signature cannot be checked. Mount the router before the parser, or let it keep them: express.json({ verify: (request, response, bytes) => { request.rawBody = bytes } }).',
  );
}
