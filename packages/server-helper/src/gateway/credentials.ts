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

/** API keys, several while they rotate (§5). The one that worked last is tried first. */
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
    for (let offset = 0; ; offset += 1) {
      const index = (first + offset) % this.#keys.length;
      const answer = await sendWith(this.#header(index));
      if (answer.status !== 401) this.#index = index;
      if (answer.status !== 401 || offset + 1 === this.#keys.length) return answer;
      noteRefusal(context);
    }
  }
}
