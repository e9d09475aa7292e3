import { Script } from 'node:vm';

/** Far more than linear work takes on any machine, far less than the age that a bad pattern takes. */
const LIMIT_MS = 20_000;

/** Ends work that takes too long, which no timer of a test could, since the work never waits. */
export function endedInTime<Result>(work: () => Result): Result {
  return new Script('work()').runInNewContext({ work }, { timeout: LIMIT_MS }) as Result;
}
