import { lineAt, type Rule } from '../rule.ts';
import { callsOf } from '../syntax.ts';

const leastWords = 3;
const isTest = /^(?:it|test)(?:\.(?:each|for|concurrent|sequential|fails))*$/;

/** A test's name is a sentence about behaviour: read alone in a report, it says what broke. */
export const testNames: Rule = {
  name: 'test-names',
  check: (file) => {
    if (!file.path.endsWith('.test.ts')) return [];
    return callsOf(file).flatMap(({ callee, name, start }) => {
      if (!isTest.test(callee) || name === undefined) return [];
      if (name.trim().split(/\s+/).length >= leastWords) return [];
      const message = `"${name}" is no sentence; say what holds, in ${leastWords} words or more`;
      return [{ line: lineAt(file.text, start), message }];
    });
  },
};

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
