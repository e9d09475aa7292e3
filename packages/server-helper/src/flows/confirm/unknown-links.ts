import type { MerchantOrderId } from '../../ids.ts';
import { isKnown } from '../../payments/answer.ts';
import type { Attempt } from '../../payments/attempt.ts';
import { YOUNG_MS } from '../../payments/watch.ts';
import type { AskedAnswer } from './ask.ts';

/** So many links in a row are no chance any more. */
const MANY = 5;

/** How long health speaks of a link that was lost with its order. */
const LOST_MS = 24 * 3_600_000;

/** Codes of answers that refuse the question, whatever the link. */
const refusals: ReadonlySet<string> = new Set([
  'redirected',
  'unauthorized',
  'wrong_credential_type',
  'wrong_environment',
]);

/**
 * The links about which this process asked since the gateway last knew one, and which the gateway did not
 * know, or about which it refused the question. A shop that reads its gateway wrongly has these alone.
 */
export class UnknownLinks {
  readonly #names = new Set<MerchantOrderId>();
  #lostAt = -Infinity;

  /** Notes an answer about a session. */
  note({ merchantOrderId, createdAt, expiresAt }: Attempt, answer: AskedAnswer, now: number): void {
    if (isKnown(answer)) this.#names.clear();
    if (this.#names.size >= MANY) return;
    // A status may lag behind at first, and some gateways forget sessions after their life.
    const isDue = now - createdAt >= YOUNG_MS && now < expiresAt;
    const isUnknown = answer.kind === 'unknown' && isDue;
    const isRefused = answer.kind === 'refused' || refusals.has(answer.code ?? '');
    if (isUnknown || isRefused) this.#names.add(merchantOrderId);
  }

  get areMany(): boolean {
    return this.#names.size >= MANY;
  }

  /** Notes a link that the gateway has, of an order that neither the store nor the shop knows. */
  lose(now: number): void {
    this.#lostAt = now;
  }

  /** Whether there was such a link within a day. */
  isAnyLost(now: number): boolean {
    return Math.abs(now - this.#lostAt) < LOST_MS;
  }
}
