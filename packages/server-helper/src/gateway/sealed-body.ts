import type { TransportAnswer } from './transport.ts';

const SEALED = '[sealed: read() gives it once]';

/**
 * The body of an answer that may hold a secret which the gateway gives only once. It shows in no log,
 * no JSON and no inspection: {@link SealedBody.read} gives the text, once.
 */
export class SealedBody {
  #text: string | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Gives the body as it came, and forgets it: `undefined` from the second time on. */
  read(): string | undefined {
    const text = this.#text;
    this.#text = undefined;
    return text;
  }

  toString(): string {
    return SEALED;
  }

  toJSON(): string {
    return SEALED;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return SEALED;
  }
}

/** Seals the body of a success; `undefined` where the gateway refused, or wrote nothing. */
export function sealedBodyOf(answer: TransportAnswer | undefined): SealedBody | undefined {
  const { status = 0, body = null } = answer ?? {};
  const isSuccess = status >= 200 && status <= 299;
  return isSuccess && body?.trim() ? new SealedBody(body) : undefined;
}

const bodies = new WeakMap<object, SealedBody>();

/** Notes the body that a value was read from, beside the value and not in it. */
export function noteBody(value: object, body: SealedBody | undefined): void {
  if (body !== undefined) bodies.set(value, body);
}

/** The body that a value was read from, where it was noted. */
export const bodyOf = (value: object): SealedBody | undefined => bodies.get(value);
