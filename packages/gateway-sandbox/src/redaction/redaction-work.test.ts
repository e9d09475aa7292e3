import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import { withoutCardNumbers, withoutStrayCards } from './stray-cards.ts';

const card = '4201320111111010';
const masked = '420132******1010';
/** No timer of a test ends work that never waits, as that of a pattern that looks again and again. */
const hangsAfterMs = 60_000;

test.each([
  ['backslashes', '', '\\', masked, masked],
  ['escapes of percent signs without the sign', '', '25', card, card],
  // The sign that the last escape makes takes the first two digits with it, here and below.
  ['a percent sign that is escaped again and again', '%', '25', card, '013201****1010'],
  ['percent signs', '', '%25', card, '013201****1010'],
  ['the start of a tag', '', '<a ', masked, masked],
])('a card is read to the end of a long text of %s', (_what, start, part, stored, shown) => {
  const text = `${start}${part.repeat(120_000 / part.length)}${card}`;
  const work = () => [withoutStrayCards(text), withoutCardNumbers(text)];
  const [first, second] = new Script('work()').runInNewContext(
    { work },
    { timeout: hangsAfterMs },
  ) as string[];
  expect([first?.endsWith(stored), second?.endsWith(shown)]).toEqual([true, true]);
});
