import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process of the measurement, which answers each message with one. */
export class Child<Answer> {
  readonly #process: ChildProcess;
  readonly #name: string;

  /** @param file - The packages' sources are taken, so nothing need be built. */
  constructor(file: URL, parameters: readonly string[] = []) {
    const execArgv = ['--conditions=@pay-button/source', '--expose-gc'];
    this.#name = [file.pathname, ...parameters].join(' ');
    this.#process = fork(fileURLToPath(file), parameters, { execArgv });
  }

  /** What it says when it is ready. */
  started(): Promise<Answer> {
    return this.#nextAnswer();
  }

  /** @throws when it ends before it answers. */
  ask(message: object): Promise<Answer> {
    const answer = this.#nextAnswer();
    this.#process.send(message);
    return answer;
  }

  /** Ends it. */
  end(): void {
    if (this.#process.connected) this.#process.disconnect();
  }

  #nextAnswer(): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const onExit = (code: number | null): void => {
        reject(new Error(`${this.#name} ended with code ${code}.`));
      };
      this.#process.once('exit', onExit);
      this.#process.once('message', (answer) => {
        this.#process.off('exit', onExit);
        resolve(answer as Answer);
      });
    });
  }
}
