import { expect } from 'vitest';
import { runHistories } from './run-histories.ts';
import { openStore } from './stores.ts';
import { variants } from './variants.ts';

/** Expects the histories to find the variant of this name, in a form that a person can read. */
export async function expectFound(name: string): Promise<void> {
  const variant = variants[name];
  if (variant === undefined) throw new Error(`There is no variant ${name}.`);
  const stage = { openStore: (seed: number) => openStore('memory', seed), variant };
  const { failure } = await runHistories({ seed: 1, histories: 10_000 }, stage);
  expect(failure?.rule).toMatch(/^(?:I\d+|liveness): |^Error: a status was asked/);
  const { failure: again } = await runHistories({ seed: failure?.seed ?? 0, histories: 1 }, stage);
  expect(again?.lines).toEqual(failure?.lines);
  expect(failure?.history.actions.length).toBeLessThan(20);
}
