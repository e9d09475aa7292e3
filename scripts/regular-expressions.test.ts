import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { analyse } from 'scslre';
import { parseSync, Visitor } from 'vite';
import { expect, it } from 'vitest';
import { root } from './process.ts';

/** Sources whose patterns meet what strangers send. */
const sources = ['packages/*/{src,assets}/**/*.{ts,js}', 'demo/{src,public}/**/*.{ts,js}'];

/** The regular expressions of a file, as they are written. */
function patternsIn(path: string): readonly string[] {
  const found: string[] = [];
  const text = readFileSync(path, 'utf8');
  new Visitor({
    Literal(literal) {
      if ('regex' in literal) found.push(text.slice(literal.start, literal.end));
    },
  }).visit(parseSync(path, text).program);
  return found;
}

/** What could take more than linear time in a pattern, by the reckoning of the tool. */
function slownessOf(literal: string): number {
  const cut = literal.lastIndexOf('/');
  const pattern = { source: literal.slice(1, cut), flags: literal.slice(cut + 1) };
  return analyse(pattern).reports.length;
}

/** What meets no stranger's text: our own files, an amount, or a text of which each place matches. */
const unmet = [
  String.raw`timeline-ar.ts: /\B(?=(?:\d{3})+\.)/g`,
  String.raw`init.ts: /(?<=from '\.\/[\w.]+)\.ts(?=')/g`,
  String.raw`init.ts: /(?:(?!\w+=).*\n)*(\w+)=.*\n/g`,
  String.raw`init.ts: /^-+|-+$/g`,
  String.raw`portal.ts: /(?:@|%40).*$/su`,
  String.raw`html.ts: /\B(?=(\d{3})+$)/g`,
];

it('no pattern of ours takes more than linear time, whatever it is given', () => {
  const files = globSync(sources, { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const patterns = files.flatMap((file) =>
    patternsIn(`${root}/${file}`).map((literal) => ({ file: basename(file), literal })),
  );
  expect(patterns.length).toBeGreaterThan(50);
  const slow = patterns.filter(({ literal }) => slownessOf(literal) > 0);
  expect(slow.map(({ file, literal }) => `${file}: ${literal}`)).toEqual(unmet);
});

const backtracking = ['/^(a+)+$/', '/^([a-z]+)*x/u', '/^a*b?a*$/', '/ +$/'];
it.each(backtracking)('a pattern that backtracks, as %s, would be found', (literal) => {
  expect(slownessOf(literal)).toBeGreaterThan(0);
});
