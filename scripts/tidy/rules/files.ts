import type { Rule } from '../rule.ts';

const limit = 500;
const isSource = /\.(?:css|html|js|mjs|sh|sql|ts)$/;

/** A longer file holds more than one idea, and few readers reach its end. */
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

const forbidden = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'types', 'misc']);
/** Names that a tool, a custom or a framework's router fixes: `[...path].ts`, `+server.ts`. */
const fixedNames = /^(?:LICENSE|[A-Z]+\.md|\..+|(?:\[[.a-zA-Z]+\]|\+[a-z]+)(?:\.[a-z]+)+)$/;
const kebab = /^[a-z0-9]+(?:[-.][a-z0-9]+)*$/;

/** A file's name says what the file holds; the forbidden names do not. */
export const fileName: Rule = {
  name: 'file-name',
  check: ({ path }) => {
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (fixedNames.test(name)) return [];
    const stem = name.split('.')[0] ?? '';
    if (forbidden.has(stem)) {
      return [{ line: 1, message: `"${stem}" says nothing; name the one idea in the file` }];
    }
    if (kebab.test(name)) return [];
    return [{ line: 1, message: `"${name}" is not in kebab-case` }];
  },
};
