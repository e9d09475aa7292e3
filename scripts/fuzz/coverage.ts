import { Session, type Profiler } from 'node:inspector';

/** What a run of our code did. */
export interface Trace {
  /** The blocks that ran. */
  readonly blocks: readonly string[];
  /** How often blocks ran in sum, which is a measure of work that needs no clock. */
  readonly work: number;
}

/** Code of ours; what the fuzzer and the packages below us do counts for nothing. */
const OURS = /\/(?:packages|demo)\/(?:[\w-]+\/)?src\//;

/** Watches which blocks of our code run, as V8 counts them. */
export class Coverage {
  readonly #session = new Session();

  constructor() {
    this.#session.connect();
    this.#session.post('Profiler.enable');
    this.#session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  }

  /** A trace costs milliseconds, however much of our code runs. */
  trace(run: () => void): Trace {
    this.#take();
    run();
    const blocks: string[] = [];
    let work = 0;
    for (const { scriptId, url, functions } of this.#take()) {
      if (!OURS.test(url)) continue;
      for (const { startOffset, endOffset, count } of functions.flatMap(({ ranges }) => ranges)) {
        if (count === 0) continue;
        work += count;
        blocks.push(`${scriptId}:${startOffset}:${endOffset}`);
      }
    }
    return { blocks, work };
  }

  close(): void {
    this.#session.disconnect();
  }

  /** What ran since it was asked last. A session to the own thread answers at once. */
  #take(): readonly Profiler.ScriptCoverage[] {
    let taken: readonly Profiler.ScriptCoverage[] = [];
    this.#session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error !== null) throw error;
      taken = result;
    });
    return taken;
  }
}
