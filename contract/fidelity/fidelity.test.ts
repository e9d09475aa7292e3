import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildFidelity, fidelityFaults, fidelityPath, fidelityText, readPins } from './fidelity.ts';
import { titlesIn } from './pins.ts';

it('every behaviour of the sandbox has a tier, a source that is explained, and a test that exists', () => {
  expect(fidelityFaults(buildFidelity(), readPins())).toEqual([]);
});

it('the report that the package carries is the one of the contract and the pins (npm run fidelity)', () => {
  expect(readFileSync(fidelityPath, 'utf8')).toBe(fidelityText());
});

it('a behaviour without a test, a test that is gone and a pin of nothing are found out', () => {
  const [first, ...rest] = readPins();
  const pins = [{ test: 'contract/gone.test.ts > is gone', pins: ['operation.nothing'] }, ...rest];
  const faults = fidelityFaults(buildFidelity(pins), pins);
  expect(first?.pins).toContain('operation.createPaymentLink');
  expect(faults).toContain('operation.createPaymentLink has no test');
  expect(faults).toContain('contract/gone.test.ts > is gone pins nothing');
  expect(faults).toContain('no test: contract/gone.test.ts > is gone');
});

it('a behaviour without a tier and one without an explained source are found out', () => {
  const report = buildFidelity();
  const [first] = report.behaviours;
  if (first === undefined) throw new Error('The report is empty.');
  const strange = { ...report, behaviours: [{ ...first, tier: 'sure', source: 'N99' }] };
  expect(fidelityFaults(strange, [])).toEqual([
    `${first.id} has no tier`,
    `${first.id} names N99, which nothing explains`,
  ]);
});

it.each([
  ["it('plain title', () => {});", 'plain title'],
  ["  test.each([[1, 2], [3, f(4)]])('table title %i', () => {});", 'table title %i'],
  ["it.each([\n  ['a', 'b'],\n])(\n  'broken over lines',\n  () => {},\n);", 'broken over lines'],
])('the title of %j is read', (text, title) => {
  expect(titlesIn(text)).toEqual([title]);
});
