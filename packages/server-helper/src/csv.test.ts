import { expect, it } from 'vitest';
import { csvLine } from './text.ts';

it.each([
  ['has commas between its cells', ['a', '', '115.00'], 'a,,115.00'],
  ['quotes a comma, and doubles quotes', ['a,b', 'say "no"'], '"a,b","say ""no"""'],
  ['is ended by no control character in a text', ['a\r\n=b\t\u001B[31mc', 'd'], 'a  =b c,d'],
  ['leaves a minus or an at sign within a text', ['t-88', 'noura@shop'], 't-88,noura@shop'],
])('a line of CSV %s', (_what, cells, line) => {
  expect(csvLine(cells)).toBe(`${line}\r\n`);
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
