import { lineAt, type Rule } from '../rule.ts';
import { callsOf } from '../syntax.ts';

const partial =
  /^(?:(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip|skipIf|runIf|todo|fixme)|[fx](?:it|describe|test))$/;

/** Every test runs every time: a skipped one proves nothing, and a focused one hides the rest. */
export const wholeSuite: Rule = {
  name: 'whole-suite',
  check: (file) => {
    if (!file.path.endsWith('.test.ts')) return [];
    // `it.skipIf(true)('a name')` is two calls that begin at one place, and one finding.
    const seen = new Map<number, string>();
    for (const { callee, start } of callsOf(file)) {
      if (partial.test(callee)) seen.set(start, callee);
    }
    return [...seen].map(([start, callee]) => ({
      line: lineAt(file.text, start),
      message: `${callee}: mend the test or remove it; every test runs every time`,
    }));
  },
};
