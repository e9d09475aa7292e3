import { expect, it } from 'vitest';
import { isSamePerson, personText } from './money-decision.ts';

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
  ['digits of another script', 'Noura 2', 'Noura \u0968'],
  ['mathematical digits', 'Noura 12', 'Noura \u{1d7cf}\u{1d7d0}'],
  ['a letter that is a mark', 'Noura', 'Noura\u02bc\u06e5\ua4f9'],
  ['another sharp s', 'Weiß', 'WEI\u1e9e'],
  ['letters of Urdu', 'نورة', 'نورۃ'],
  ['an alef with a mark', 'احمد', '\u0671حمد'],
  ['Cyrillic letters', 'Noura', 'N\u043eur\u0430'],
  ['one id under two names', 'Noura Ali (u-17)', 'N. Ali (u-17)'],
  ['one id in other capitals', 'Noura Ali (u-17a)', 'N. Ali (U-17A)'],
  ['one id in wide letters', 'Noura Ali (u-17)', 'N. Ali (ｕ-17)'],
  ['a name that ends like an id', 'Noura Ali (HR)', 'NouraAli (hr)'],
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
  ['two ids under one name', 'Noura Ali (u-17)', personText({ id: 'u-18', name: 'Noura Ali' })],
  ['an id that a name imitates', 'Noura (u-18) (u-17)', 'Noura (u-18)'],
])('%s is another person', (_what, one, other) => {
  expect(isSamePerson(one, other)).toBe(false);
});
