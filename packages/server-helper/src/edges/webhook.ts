import { isMerchantOrderId, type MerchantOrderId } from '../ids.ts';
import type { Answer, EdgeRequest } from './http.ts';
import { bodyProblem, decodeBody } from './body.ts';
import type { SignatureSettings } from '../options/edge-settings.ts';
import { problem } from './problem.ts';
import type { RawBody } from './raw-body.ts';
import type { RouteContext } from './route-table.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../errors.ts';

const MAX_BODY_BYTES = 65_536;

const unsigned = problem('invalid_signature', 'The webhook is not signed with a secret of ours.', {
  headers: { 'www-authenticate': 'Signature' },
});

const acknowledged: Answer = { status: 200, json: {} };

/**
 * `POST /webhook`: a reason to ask the gateway, never proof. The answer is the same for a known order,
 * an unknown order and nonsense, so that no answer reveals which orders exist.
 */
export async function webhookArrived(
  request: EdgeRequest,
  { flows, checks, settings, onError }: RouteContext,
): Promise<Answer> {
  await checks.webhooksPerAddress(request.address);
  const raw = await request.readBody(MAX_BODY_BYTES);
  // An incomplete body may hold a hint, so it is not acknowledged.
  if (raw.kind !== 'bytes' && raw.kind !== 'parsed') return bodyProblem(raw.kind, MAX_BODY_BYTES);
  const signature = settings.webhookSignature;
  if (signature !== null && !isSigned(request, raw, signature)) return unsigned;
  const body = decodeBody(request, raw, MAX_BODY_BYTES);
  const merchantOrderId = body.kind === 'problem' ? undefined : nameIn(body.value);
  if (merchantOrderId === undefined) return acknowledged;
  try {
    await flows.hint(merchantOrderId);
    return acknowledged;
  } catch (error) {
    onError(error);
    // The gateway repeats a notification that is not acknowledged.
    return problem('store_unavailable', 'The notification could not be stored. Send it again.');
  }
}

/**
 * The field of a notification that names the order (assumption N13); all others are ignored. A text
 * that has not the form of an attempt's name never reaches the store, which might fail on it.
 */
function nameIn(notification: unknown): MerchantOrderId | undefined {
  const { merchantOrderId, orderId } = Object(notification) as Readonly<Record<string, unknown>>;
  return [merchantOrderId, orderId].find(isMerchantOrderId);
}

const SIGNATURE = /^[0-9a-f]{64}$/i;

/**
 * Whether one of the secrets signed the body: hex HMAC-SHA-256 of its bytes as they were sent
 * (assumption N14). Every secret is tried, in constant time.
 *
 * @throws {@link ConfigurationError} `body_already_read` when a body parser left no bytes.
 */
export function isSigned(
  request: EdgeRequest,
  raw: Extract<RawBody, { kind: 'bytes' | 'parsed' }>,
  { secrets, header }: SignatureSettings,
): boolean {
  const signature = request.header(header)?.trim() ?? '';
  if (!SIGNATURE.test(signature)) return false;
  if (raw.kind === 'parsed') throw withoutBytes();
  const given = Buffer.from(signature, 'hex');
  const matches = secrets.map((secret) =>
    timingSafeEqual(given, createHmac('sha256', secret).update(raw.bytes).digest()),
  );
  return matches.includes(true);
}

/** A 401 would make the developer check the secrets, which are right. */
function withoutBytes(): ConfigurationError {
  return new ConfigurationError(
    'body_already_read',
    'A body parser ran before the payments router and did not keep the bytes, so that the webhook’s signature cannot be checked. Mount the router before the parser, or let it keep them: express.json({ verify: (request, response, bytes) => { request.rawBody = bytes } }).',
  );
}
