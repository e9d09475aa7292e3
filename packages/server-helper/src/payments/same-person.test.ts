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
  ['a name without its space', 'Noura Ali', 'NouraAli'],
  ['a hair space', 'Noura Ali', 'Noura\u200aAli'],
  ['an empty Braille pattern', 'Noura', 'Noura\u2800'],
  ['an empty note', 'Noura', '\u{1d159}Noura'],
  ['a Hangul filler', 'Noura', 'Noura\u3164'],
  ['punctuation', 'noura.ali', 'noura-ali'],
  ['a letter’s accent', 'Jose', 'José'],
  ['a tatweel', 'نورة', 'نـورة'],
  ['vowel marks', 'نورة', 'نُورَة'],
  ['a hamza', 'أحمد', 'احمد'],
  ['Persian letters', 'علي كريم', 'علی کریم'],
  ['Persian digits', 'نورة ٢', 'نورة ۲'],
  ['Arabic digits', 'Noura 2', 'Noura ٢'],
  ['Cyrillic letters', 'Noura', 'N\u043eur\u0430'],
  ['one id under two names', 'Noura Ali (u-17)', 'N. Ali (u-17)'],
  ['a name with and without an id', 'Noura Ali', 'Noura Ali (u-17)'],
])('%s is one person', (_what, one, other) => {
  expect(isSamePerson(one, other)).toBe(true);
  expect(isSamePerson(other, one)).toBe(true);
});

it.each([
  ['another name', 'Noura', 'Salem'],
  ['a longer name', 'Noura', 'Noura Ali'],
  ['a name in another order', 'Ali Noura', 'Noura Ali'],
  ['another number', 'Till 1', 'Till 2'],
  ['another Arabic name', 'نورة', 'سارة'],
  ['two ids under one name', 'Noura Ali (u-17)', 'Noura Ali (u-18)'],
  ['an id that a name imitates', 'Noura (u-18) (u-17)', 'Noura (u-18)'],
])('%s is another person', (_what, one, other) => {
  expect(isSamePerson(one, other)).toBe(false);
});
