import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A process of the measurement, which answers each message with one. */
export class Child<Answer> {
  readonly #process: ChildProcess;
  readonly #ended: Promise<never>;

  /** @param file - The packages' sources are taken, so nothing need be built. */
  constructor(file: URL, parameters: readonly string[] = []) {
    const execArgv = ['--conditions=@pay-button/source', '--expose-gc'];
    this.#process = fork(fileURLToPath(file), parameters, { execArgv });
    this.#ended = once(this.#process, 'exit').then(([code]) => {
      throw new Error(`${[file.pathname, ...parameters].join(' ')} ended with code ${code}.`);
    });
    // One that has nothing more to answer may end.
    this.#ended.catch(() => undefined);
  }

  /** @throws when it ends before it answers. */
  ask(message: object | string): Promise<Answer> {
    const answer = this.answer();
    this.#process.send(message);
    return answer;
  }

  /** What it says next; the first time that it is ready. */
  async answer(): Promise<Answer> {
    const [answer] = await Promise.race([once(this.#process, 'message'), this.#ended]);
    return answer as Answer;
  }

  /** Ends it. */
  end(): void {
    if (this.#process.connected) this.#process.disconnect();
  }
}

/** Answers the process that started this one, from now on, and ends with it. */
export function answerParent(answer: (message: never) => unknown): void {
  const reply = async (message: unknown) => process.send?.(await answer(message as never));
  process.on('message', (message) => void reply(message));
  endWithParent();
}

export const endWithParent = (): void => void process.once('disconnect', () => process.exit());

/** What a process took until now, or since a moment: its code's time and the system's on its behalf. */
export function cpuMicroseconds(since?: NodeJS.CpuUsage): number {
  const { user: own, system } = process.cpuUsage(since);
  return own + system;
}
