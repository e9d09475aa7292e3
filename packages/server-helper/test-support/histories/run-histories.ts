import type { History } from './action.ts';
import { drawHistory } from './draw-history.ts';
import { BrokenRule } from './hold.ts';
import { playHistory, type Stage } from './play-history.ts';
import { shrink } from './shrink.ts';

/** A history in which a rule was broken. */
export interface Failure {
  readonly seed: number;
  readonly rule: string;
  /** The rule, and what was seen. */
  readonly message: string;
  /** The smallest form of it that was found to fail in the same way. */
  readonly history: History;
  /** What happened in that, line by line. */
  readonly lines: readonly string[];
}

/** What came of a run. */
export interface Run {
  readonly played: number;
  readonly failure: Failure | null;
}

/**
 * Plays so many histories, with the seeds from one on, until a rule is broken.
 *
 * @param isOver - Asked after each history.
 */
export async function runHistories(
  { seed, histories }: { readonly seed: number; readonly histories: number },
  stage: Stage,
  isOver: (played: number) => boolean = () => false,
): Promise<Run> {
  const { stackTraceLimit } = Error;
  // Expected errors come by the million, and no reader needs their stacks.
  Error.stackTraceLimit = 0;
  try {
    let played = 0;
    while (played < histories) {
      const history = drawHistory(seed + played);
      const error = await errorOf(history, stage);
      played += 1;
      if (error !== null) return { played, failure: await explained(history, stage, error) };
      if (isOver(played)) break;
    }
    return { played, failure: null };
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

async function errorOf(history: History, stage: Stage): Promise<Error | null> {
  try {
    await playHistory(history, stage);
    return null;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

async function explained(history: History, stage: Stage, error: Error): Promise<Failure> {
  const rule = ruleOf(error);
  const smallest = await shrink(history, async (smaller) => {
    const found = await errorOf(smaller, stage);
    return found !== null && ruleOf(found) === rule;
  });
  Error.stackTraceLimit = 10;
  const lines: string[] = [];
  const write = (line: string): void => void lines.push(line);
  const found = await errorOf(smallest, { ...stage, write });
  const { seed } = history;
  return { seed, rule, message: found?.stack ?? error.message, history: smallest, lines };
}

const ruleOf = (error: Error): string =>
  error instanceof BrokenRule ? error.rule : `${error.name}: ${error.message}`;
