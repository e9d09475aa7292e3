import { subscribe } from 'node:diagnostics_channel';
import { storeWith } from '../../src/doubles/faulty-store.ts';
import type { Store } from '../../src/stores/store.ts';

/** The moments at which a process may be made to die. */
export const failPoints = ['before-commit', 'after-commit', 'after-answer'] as const;
export type FailPointName = (typeof failPoints)[number];

/** Dies at a moment, when it comes for the n-th time. */
export interface FailPoint {
  readonly name: FailPointName;
  readonly times: number;
}

/** As the system kills: no more line of ours runs. */
const die = (): void => void process.kill(process.pid, 'SIGKILL');

function countdown(times: number): () => void {
  let left = times;
  return () => {
    left -= 1;
    if (left === 0) die();
  };
}

/** A store in which the process dies just before a commit, or just after it. */
export function dyingAtCommits(store: Store<unknown>, point: FailPoint | null): Store<unknown> {
  if (point === null || point.name === 'after-answer') return store;
  const pass = countdown(point.times);
  const save: Store<unknown>['save'] = async (asked, ...more) => {
    if (asked.entry === null) return store.save(asked, ...more);
    if (point.name === 'before-commit') pass();
    const result = await store.save(asked, ...more);
    if (point.name === 'after-commit') pass();
    return result;
  };
  return storeWith(store, { save });
}

/** Dies when an answer of the gateway has come, and nobody has seen it yet. */
export function dyingAfterAnswers(point: FailPoint | null): void {
  if (point?.name === 'after-answer') {
    subscribe('pay-button:gateway:answer', countdown(point.times));
  }
}
