import { createHash } from 'node:crypto';
import type { EdgeRequest } from './edge-request.ts';
import { problem } from './problem.ts';
import { Refusal } from './refusal.ts';

/** How long a key stands for what it was first used for. */
const KEPT_MS = 24 * 3_600_000;

/** Characters that a header can carry, without spaces. */
const KEY = /^[\x21-\x7e]{1,255}$/;

/** Keeps what keys were used for. */
export type BindKey = (key: string, subject: string, keptMs: number) => Promise<string>;

/**
 * The digest of a request's `Idempotency-Key`, if it has one; with or without the quotes of the
 * draft standard.
 *
 * @throws {@link Refusal} `invalid_idempotency_key`.
 */
export function idempotencyKey(request: EdgeRequest): string | undefined {
  const header = request.header('idempotency-key');
  if (header === undefined) return undefined;
  const key = /^"(.*)"$/.exec(header)?.[1] ?? header;
  if (KEY.test(key)) return createHash('sha256').update(key).digest('base64url');
  const detail = 'Send an Idempotency-Key of 1 to 255 visible ASCII characters, or none.';
  throw new Refusal(problem('invalid_idempotency_key', detail));
}

/**
 * Binds a key to the body that it came with. The body holds nothing but the order's id.
 *
 * @throws {@link Refusal} `idempotency_key_reused` when it came with another body before.
 */
export async function bindKey(bind: BindKey, key: string, orderId: string): Promise<void> {
  if ((await bind(key, orderId, KEPT_MS)) === orderId) return;
  const detail = 'This Idempotency-Key was used for another order. Send a new one.';
  throw new Refusal(problem('idempotency_key_reused', detail));
}
