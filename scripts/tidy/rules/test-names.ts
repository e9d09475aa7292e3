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
