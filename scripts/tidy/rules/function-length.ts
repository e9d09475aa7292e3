import { lineAt, type Rule } from '../rule.ts';
import { functionsOf, isCode } from '../syntax.ts';

const limit = 60;

/**
 * A function fits on one screen. The function handed to `describe` is a list of tests and not a
 * function in this sense; each test in it is.
 */
export const functionLength: Rule = {
  name: 'function-length',
  check: (file) => {
    if (!isCode(file.path)) return [];
    return functionsOf(file).flatMap(({ start, end, calledAs }) => {
      if (calledAs !== undefined && /^(?:test\.)?describe\b/.test(calledAs)) return [];
      const line = lineAt(file.text, start);
      const lines = lineAt(file.text, end) - line + 1;
      if (lines <= limit) return [];
      return [{ line, message: `a function of ${lines} lines; at most ${limit}: take a step out` }];
    });
  },
};
