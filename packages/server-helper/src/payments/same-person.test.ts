import { expect, it } from 'vitest';
import { isSamePerson } from './same-person.ts';

it.each([
  ['the same name', 'Noura', 'Noura'],
  ['other capitals', 'Noura@Shop.example', 'noura@shop.EXAMPLE'],
  ['other spaces', ' Noura  Ali\n', 'Noura\u00a0Ali'],
  ['invisible characters', 'Nou\u200bra', '\u2068Noura\u2069'],
  ['an emoji keyboard’s invisible mark', 'Noura', 'Noura\ufe0f'],
  ['an invisible character inside a letter', 'Jose\u034f\u0301', 'José'],
  ['capitals that are written otherwise', 'Weiß', 'WEISS'],
  ['another form of a letter', 'Jose\u0301', 'José'],
  ['wide letters', 'Ｎｏｕｒａ', 'noura'],
])('%s is one person', (_what, one, other) => {
  expect(isSamePerson(one, other)).toBe(true);
  expect(isSamePerson(other, one)).toBe(true);
});

it.each([
  ['another name', 'Noura', 'Salem'],
  ['a longer name', 'Noura', 'Noura Ali'],
  ['a letter’s accent', 'Jose', 'José'],
  ['names that spaces divide', 'Nou ra', 'Noura'],
])('%s is another person', (_what, one, other) => {
  expect(isSamePerson(one, other)).toBe(false);
});
