import { describe, expect, it } from 'vitest';
import { chooseSteps, helpOf, judgeFindings, reportStep } from './steps.ts';

const build = { name: 'build', about: 'builds' };
const types = { name: 'types', about: 'checks types' };
const choices = [build, types];

describe('choosing steps', () => {
  it('takes every step, or those that are named, separated by commas or repeated', () => {
    expect(chooseSteps(choices, undefined)).toEqual([build, types]);
    expect(chooseSteps(choices, ['types'])).toEqual([types]);
    expect(chooseSteps(choices, ['types,build'])).toEqual([build, types]);
    expect(chooseSteps(choices, ['types', 'build'])).toEqual([build, types]);
  });

  it('refuses an unknown step, lists the steps there are, and explains itself', () => {
    expect(() => chooseSteps(choices, ['tipes'])).toThrow(/"tipes"[\s\S]*types {2}checks types/);
    const help = helpOf('npm test', 'tests everything', choices);
    expect(help).toMatch(/^npm test: tests everything[\s\S]*types {2}checks types/);
  });
});

const judged = (...findings: string[]) => judgeFindings(findings, '12 files');
it.each<readonly [string, () => Promise<string>, RegExp]>([
  ['holds', async () => judged(), /^✓ lint \(12 files, \d+\.\d s\)$/],
  ['fails', async () => judged('a.ts', '', 'b.ts'), /^✗ lint .*\n {2}a\.ts\n\n {2}b\.ts$/],
  ['throws', () => Promise.reject(new Error('no such file')), /^✗ lint[\s\S]*no such file/],
])('a step that %s is reported in a line, with details of a failure', async (_, work, report) => {
  const printed: string[] = [];
  await reportStep('lint', work, (line) => printed.push(line));
  expect(printed.join('\n')).toMatch(report);
});
