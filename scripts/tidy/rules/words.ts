import type { Rule } from '../rule.ts';
import { bannedWords } from '../banned-words.ts';
import { oldWords } from '../old-words.ts';

/** Files that name a banned word because they explain it. */
const explains = new Set([
  'GLOSSARY.md',
  'STYLE.md',
  'scripts/tidy/banned-words.ts',
  'scripts/tidy/old-words.ts',
  'scripts/tidy/old-words.test.ts',
  'scripts/tidy/rules/words.test.ts',
]);

/** A picture within a text: its letters are no words. */
const bytes = /;base64,[\w+/=]+/g;

/**
 * One word for one thing, in code, text and addresses alike: see GLOSSARY.md. A decision record says
 * what was said when it was made.
 */
export const words: Rule = {
  name: 'words',
  check: ({ path, text }) => {
    if (explains.has(path)) return [];
    const banned = path.startsWith('docs/decisions/') ? bannedWords : [...bannedWords, ...oldWords];
    return text
      .replaceAll(bytes, '')
      .split('\n')
      .flatMap((content, index) =>
        banned.flatMap(({ pattern, advice }) => {
          const found = pattern.exec(content)?.[0];
          if (found === undefined) return [];
          return [{ line: index + 1, message: `"${found.trim()}": ${advice}` }];
        }),
      );
  },
};
