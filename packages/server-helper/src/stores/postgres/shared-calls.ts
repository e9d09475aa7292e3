import { StoreDeadlineError } from '../deadline-timer.ts';

/** Says of one call that it cannot be answered together with the others. */
export const BY_ITSELF = Symbol('by itself');

/** How calls of one kind reach the database. */
export interface SharedCallsDependencies<Request, Answer> {
  /** What no two calls of one statement may have in common. */
  keysOf(request: Request): readonly string[];
  /** Sends several in one statement; answers in their order. */
  together(requests: readonly Request[]): Promise<readonly (Answer | typeof BY_ITSELF)[]>;
  /** Sends one, which may wait for others who hold its rows. */
  alone(request: Request): Promise<Answer>;
  /** Whether an error of the shared statement means that nothing of it was done. */
  isUndone(error: unknown): boolean;
  /** How long a caller waits for an answer, in milliseconds. What was not sent by then never is. */
  readonly timeoutMs: number;
}

interface Call<Request, Answer> {
  readonly request: Request;
  readonly keys: readonly string[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
}

/** Calls of one statement. More would make whoever came first wait for the others' work. */
const MAX_TOGETHER = 64;
/** Statements under way at once: one at work, one on the wire. */
const MAX_STATEMENTS = 2;

/**
 * Sends the calls of one turn of the event loop, and those that come while statements are under way,
 * in one statement. Each caller gets their own answer or their own error: when a shared statement
 * failed and nothing of it was done, each call is sent again by itself. When it is unknown what was
 * done, or the time is up, the caller learns that.
 */
export class SharedCalls<Request, Answer> {
  readonly #door: SharedCallsDependencies<Request, Answer>;
  #waiting: Call<Request, Answer>[] = [];
  readonly #keysUnderWay = new Set<string>();
  #statements = 0;
  #isScheduled = false;

  constructor(door: SharedCallsDependencies<Request, Answer>) {
    this.#door = door;
  }

  /** Queues a call; resolves with its own answer. */
  run(request: Request): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#giveUp(call), this.#door.timeoutMs);
      const call: Call<Request, Answer> = {
        request,
        keys: this.#door.keysOf(request),
        resolve: (answer) => {
          clearTimeout(timer);
          resolve(answer);
        },
        reject: (error) => {
          clearTimeout(timer);
          reject(error);
        },
      };
      this.#waiting.push(call);
      this.#schedule();
    });
  }

  /** Read first is what came while this process was busy with other things. */
  #giveUp(call: Call<Request, Answer>): void {
    setImmediate(() => {
      this.#waiting = this.#waiting.filter((one) => one !== call);
      call.reject(new StoreDeadlineError('the database did not answer'));
    });
  }

  #schedule(): void {
    const isFull = this.#statements >= MAX_STATEMENTS;
    if (this.#isScheduled || isFull || this.#waiting.length === 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
    });
  }

  #send(): void {
    const calls = this.#take();
    if (calls.length === 0) return;
    this.#statements += 1;
    void this.#sendTogether(calls).finally(() => {
      this.#statements -= 1;
      this.#schedule();
    });
    this.#schedule();
  }

  /** Whoever has a key in common with a call under way waits for its end, in their order. */
  #take(): readonly Call<Request, Answer>[] {
    const taken: Call<Request, Answer>[] = [];
    const left: Call<Request, Answer>[] = [];
    for (const call of this.#waiting) {
      const isFree = !call.keys.some((key) => this.#keysUnderWay.has(key));
      if (taken.length >= MAX_TOGETHER || !isFree) {
        left.push(call);
        continue;
      }
      for (const key of call.keys) this.#keysUnderWay.add(key);
      taken.push(call);
    }
    this.#waiting = left;
    return taken;
  }

  async #sendTogether(calls: readonly Call<Request, Answer>[]): Promise<void> {
    try {
      const answers = await this.#door.together(calls.map(({ request }) => request));
      for (const [index, call] of calls.entries()) {
        const answer = answers[index];
        if (answer === BY_ITSELF || answer === undefined) void this.#sendAlone(call);
        else this.#end(call, () => call.resolve(answer));
      }
    } catch (error) {
      const isUndone = this.#door.isUndone(error);
      for (const call of calls) {
        if (isUndone) void this.#sendAlone(call);
        else this.#end(call, () => call.reject(error));
      }
    }
  }

  async #sendAlone(call: Call<Request, Answer>): Promise<void> {
    try {
      const answer = await this.#door.alone(call.request);
      this.#end(call, () => call.resolve(answer));
    } catch (error) {
      this.#end(call, () => call.reject(error));
    }
    this.#schedule();
  }

  #end({ keys }: Call<Request, Answer>, tell: () => void): void {
    for (const key of keys) this.#keysUnderWay.delete(key);
    tell();
  }
}
