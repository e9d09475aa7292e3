import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { allows, type AnswerKind } from './answer.ts';

const text = readFileSync(
  new URL('../../../../docs/how-confirmation-works.md', import.meta.url),
  'utf8',
);

/** The cells of a kind's row in the document's table, but for what the gateway answered. */
const cellsOf = (kind: string): readonly string[] =>
  (text.split('\n').find((line) => line.startsWith(`| \`${kind}\` `)) ?? '')
    .split(/ *\| */u)
    .slice(3, -1);

it.each(Object.keys(allows) as AnswerKind[])(
  'what each kind of answer allows, %s: the document says what the code does',
  (kind) => {
    const { isFull, heard, nextLink, expiry, person } = allows[kind];
    expect(cellsOf(kind)).toEqual([isFull ? 'yes' : 'no', heard, nextLink, expiry, person]);
  },
);
