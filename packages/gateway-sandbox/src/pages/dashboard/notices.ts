import type { Notice } from './shell.ts';
import type { SignedIn } from './sign-in.ts';

/** The most sign-ins that have something left to be told. */
const mostWaiting = 1000;

/**
 * What a form's page is told on the next one, once: a secret in it is gone from here as soon as it
 * was shown.
 */
export class Notices {
  readonly #waiting = new Map<string, Notice>();

  leave({ token }: SignedIn, notice: Notice): void {
    this.#waiting.delete(token);
    this.#waiting.set(token, notice);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > mostWaiting && oldest !== undefined) this.#waiting.delete(oldest);
  }

  take({ token }: SignedIn): Notice | null {
    const notice = this.#waiting.get(token) ?? null;
    this.#waiting.delete(token);
    return notice;
  }
}
