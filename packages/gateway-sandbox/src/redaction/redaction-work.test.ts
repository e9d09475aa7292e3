import { Script } from 'node:vm';
import { test } from 'vitest';
import { withoutCardNumbers, withoutStrayCards } from './stray-cards.ts';

/** Far more than linear work takes on any machine, far less than a pattern that looks again and again. */
const limitMs = 20_000;

test.each([
  ['backslashes', '\\', 1],
  ['escapes of percent signs without the sign', '25', 1],
  ['a percent sign that is escaped again and again', '25', 2],
  ['percent signs', '%25', 1],
  ['the start of a tag', '<a ', 1],
])(
  'the work is in proportion to the text, such as %s',
  (_what, part, kind) => {
    const text = `${kind === 2 ? '%' : ''}${part.repeat(120_000 / part.length)}4201320111111010`;
    const work = () => withoutStrayCards(text) + withoutCardNumbers(text);
    // No timer of a test could end it, since it never waits.
    new Script('work()').runInNewContext({ work }, { timeout: limitMs });
  },
  60_000,
);
