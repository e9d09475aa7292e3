import { callAfter, type Clock } from '../clock.ts';

/** How long a repeat of a form gets the first answer. */
const KEPT_MS = 30_000;

/**
 * Gives the repeat of a form the answer of its first press. A browser shows the answer to the last press
 * only, and a secret that the gateway gives once would be lost by a double press.
 */
export class Repeats<Answer> {
  readonly #clock: Clock;
  readonly #answers = new Map<string, Promise<Answer>>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Does it once for a form and a person; a failure is not kept.
   *
   * @param form - The id of the question that was answered.
   */
  once(actor: string, form: string, work: () => Promise<Answer>): Promise<Answer> {
    const key = `${form} ${actor}`;
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const forget = (): void => void this.#answers.delete(key);
    const answer = work();
    this.#answers.set(key, answer);
    answer.then(() => callAfter(this.#clock, KEPT_MS, forget), forget);
    return answer;
  }
}
