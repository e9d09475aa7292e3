import { createHash } from 'node:crypto';
import type { CallContext } from './answer-error.ts';
import type { TransportAnswer } from './transport.ts';

/** Sends one request of a call with the given headers added. */
export type SendWith = (headers: Readonly<Record<string, string>>) => Promise<TransportAnswer>;

/**
 * A credential that opens operations. It sends a call's request, and once more where a 401 may be
 * followed by a better answer: a 401 says that nothing was done, so that any method may go again.
 */
export interface Credential {
  send(sendWith: SendWith, context: CallContext, signal: AbortSignal): Promise<TransportAnswer>;
}

/** Notes that a send was refused: a next one that never leaves does not make it unsent. */
export function noteRefusal(context: CallContext): void {
  if (context.outcomeSoFar === 'not-sent') context.outcomeSoFar = 'rejected';
}

/** Stands for an API key where the key itself must not be: in an order's document. */
export const keyMark = (key: string): string =>
  createHash('sha256').update(key).digest('base64url').slice(0, 8);

/** The calls that ask about a session or a transaction, which another key's account may know. */
const questions: ReadonlySet<string> = new Set(['retrieveStatus', 'pollStatus']);

/** Whether a gateway does not know what it was asked about, by its status or in a 200. */
const saysUnknown = ({ status, body }: TransportAnswer): boolean =>
  status === 404 || (status === 200 && /"errorCode"\s*:\s*"?404\b/.test(body ?? ''));

/**
 * API keys, several while they rotate (§5). The one that worked last is tried first. What it does not know, the
 * others are asked about: a session belongs to the account whose key made it.
 */
export class ApiKeys implements Credential {
  readonly #keys: readonly string[];
  #index = 0;

  constructor(keys: readonly string[]) {
    this.#keys = keys;
  }

  send(sendWith: SendWith, context: CallContext): Promise<TransportAnswer> {
    return this.#keys.length === 1 ? sendWith(this.#header(0)) : this.#inTurn(sendWith, context);
  }

  #header(index: number): Readonly<Record<string, string>> {
    return { 'x-api-key': this.#keys[index] ?? '' };
  }

  async #inTurn(sendWith: SendWith, context: CallContext): Promise<TransportAnswer> {
    const first = this.#index;
    let unknown: TransportAnswer | undefined;
    for (let offset = 0; ; offset += 1) {
      const index = (first + offset) % this.#keys.length;
      const answer = await sendWith(this.#header(index));
      const isRefused = answer.status === 401;
      if (!isRefused && unknown === undefined) this.#index = index;
      const isUnknown = questions.has(context.operation) && saysUnknown(answer);
      if (isUnknown) unknown ??= answer;
      if (!isRefused && !isUnknown) return answer;
      if (offset + 1 === this.#keys.length) return unknown ?? answer;
      if (isRefused) noteRefusal(context);
    }
  }
}
