import { expect, it } from 'vitest';
import { csvLine } from './csv.ts';

it('a line of CSV has commas between its cells and ends as RFC 4180 says', () => {
  expect(csvLine(['a', '', '115.00'])).toBe('a,,115.00\r\n');
});

it('a cell with a comma or a quote stands in quotes, and its quotes are doubled', () => {
  expect(csvLine(['a,b', 'say "no"'])).toBe('"a,b","say ""no"""\r\n');
});

it.each([
  ['=HYPERLINK("x")', '"\'=HYPERLINK(""x"")"'],
  ['+966', "'+966"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1+1', "'  =1+1"],
  ['＝1+1', "'＝1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a | -1', "a |' -1"],
])('%s is a text to a spreadsheet, and no formula', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`);
});

it('a line break or another control character in a text ends no line', () => {
  expect(csvLine(['a\r\n=b\t\u001B[31mc', 'd'])).toBe('a  =b c,d\r\n');
});

it('a minus or an at sign within a text stays as it is', () => {
  expect(csvLine(['ticket-88', 'noura@shop'])).toBe('ticket-88,noura@shop\r\n');
});
