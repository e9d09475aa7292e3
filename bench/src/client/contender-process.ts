/**
 * One contender in a process of its own, so that neither the code that another warmed up nor the
 * garbage that another left is in its figures. Works when told to, and says what that took.
 */
import { contenders } from './contenders.ts';
import type { ContenderName, Operation } from './names.ts';

/** So many calls, so many of them at a time. */
export interface Work {
  readonly operation: Operation;
  readonly calls: number;
  readonly concurrency: number;
}

/** What the calls took together. */
export interface Taken {
  readonly cpuMicroseconds: number;
  readonly wallMicroseconds: number;
}

const [name = '', origin = ''] = process.argv.slice(2);
const contender = contenders[name as ContenderName](origin);
const expected = { create: /^https:\/\/checkout\./, retrieve: /^APPROVED$/ } as const;

async function take({ operation, calls, concurrency }: Work): Promise<Taken> {
  let left = calls;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const answer = await contender[operation]();
      if (!expected[operation].test(answer)) throw new Error(`${name} answered "${answer}".`);
    }
  };
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  await Promise.all(Array.from({ length: concurrency }, lane));
  const wall = performance.now() - before;
  // Time in our code and time in the system's on our behalf.
  const [own = 0, systems = 0] = Object.values(process.cpuUsage(cpuBefore));
  return { cpuMicroseconds: own + systems, wallMicroseconds: wall * 1_000 };
}

process.on('message', (work: Work) => void take(work).then((taken) => process.send?.(taken)));
process.once('disconnect', () => process.exit());
process.send?.('ready');
