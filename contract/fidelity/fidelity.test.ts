import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { buildFidelity, fidelityFaults, fidelityPath, fidelityText, readPins } from './fidelity.ts';

it('every behaviour of the sandbox has a tier, a source that is explained, and a test', () => {
  expect(fidelityFaults(buildFidelity(), readPins())).toEqual([]);
});

it('the report that the package carries is the one of the contract and the pins (npm run tool -- fidelity)', () => {
  expect(readFileSync(fidelityPath, 'utf8')).toBe(fidelityText());
});

it('what lacks a test, a tier or an explained source, and a pin of nothing, are found out', () => {
  const report = buildFidelity([]);
  const [first] = report.behaviours;
  if (first === undefined) throw new Error('The report is empty.');
  const strange = { ...report, behaviours: [{ ...first, tier: 'sure', source: 'N99' }] };
  expect(fidelityFaults(strange, [{ test: 'a.test.ts > a', ids: ['operation.none'] }])).toEqual([
    `${first.id} has no test`,
    `${first.id} has no tier`,
    `${first.id} names N99, which nothing explains`,
    'a.test.ts > a pins operation.none, which there is not',
  ]);
});
