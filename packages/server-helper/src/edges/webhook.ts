import { isMerchantOrderId, type MerchantOrderId } from '../ids.ts';
import type { Answer, EdgeRequest, RawBody } from './http.ts';
import { bodyProblem, decodeBody } from './body.ts';
import type { SignatureSettings } from '../options/edge-settings.ts';
import type { Checks } from './limits.ts';
import { problem } from './problem.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { ConfigurationError } from '../errors.ts';

const MAX_BODY_BYTES = 65_536;

const unsigned = problem('invalid_signature', 'The webhook is not signed with a secret of ours.', {
  headers: { 'www-authenticate': 'Signature' },
});

const acknowledged: Answer = { status: 200, json: {} };

/** What the webhook edge needs. */
export interface WebhookDependencies {
  readonly checks: Checks;
  readonly signature: SignatureSettings | null;
  hint(merchantOrderId: string): Promise<void>;
  /** Told when the hint could not be stored. */
  onError(error: unknown): void;
}

/**
 * `POST /webhook`: a reason to ask the gateway, never proof. The answer is the same for a known
 * order, an unknown one and nonsense, so that nobody can learn which orders exist.
 */
export async function webhookArrived(
  request: EdgeRequest,
  door: WebhookDependencies,
): Promise<Answer> {
  await door.checks.webhooksPerAddress(request.address);
  const raw = await request.readBody(MAX_BODY_BYTES);
  // What did not arrive whole may be a hint, so it is not acknowledged.
  if (raw.kind !== 'bytes' && raw.kind !== 'parsed') return bodyProblem(raw.kind, MAX_BODY_BYTES);
  if (door.signature !== null && !isSigned(request, raw, door.signature)) return unsigned;
  const body = decodeBody(request, raw, MAX_BODY_BYTES);
  if (body.kind === 'problem') return acknowledged;
  const merchantOrderId = nameIn(body.value);
  if (merchantOrderId === undefined) return acknowledged;
  try {
    await door.hint(merchantOrderId);
    return acknowledged;
  } catch (error) {
    door.onError(error);
    // Not stored, so not acknowledged: the gateway sends it again.
    return problem('store_unavailable', 'The notification could not be stored. Send it again.');
  }
}

/**
 * Where a notification names the order (assumption N13); all else in it is ignored. What cannot be a
 * name of ours need not reach the store, which might choke on it.
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
