import type { Rule } from '../rule.ts';

const limit = 250;
const isSource = /\.(?:css|html|js|mjs|sh|sql|ts)$/;

/** A file that is longer holds more than one idea, and nobody reads it to the end. */
export const fileLength: Rule = {
  name: 'file-length',
  check: ({ path, text }) => {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    if (!isSource.test(path) || lines <= limit) return [];
    return [
      { line: limit + 1, message: `${lines} lines; split it: at most ${limit} lines a file` },
    ];
  },
};
