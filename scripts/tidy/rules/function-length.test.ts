import { describe, expect, it } from 'vitest';
import { functionLength } from './function-length.ts';

const body = (lines: number): string => '  step();\n'.repeat(lines - 2);
const findings = (text: string) => functionLength.check({ path: 'src/a.test.ts', text });

describe('the function-length rule', () => {
  it('accepts 60 lines and refuses one more, in each kind of function', () => {
    for (const [open, close] of [
      ['function f(): void {', '}'],
      ['export const f = async () => {', '};'],
      ['class A { #run<T>(this: A): void {', '} }'],
      ['it("does one thing", () => {', '});'],
    ]) {
      expect(findings(`${open}\n${body(60)}${close}`)).toEqual([]);
      expect(findings(`${open}\n${body(61)}${close}`)).toHaveLength(1);
    }
  });

  it('says on which line the function starts', () => {
    expect(findings(`// é\n\nfunction f() {\n${body(70)}}`)[0]?.line).toBe(3);
  });

  it('does not count the list of tests in a describe', () => {
    expect(findings(`describe('a thing', () => {\n${body(90)}});`)).toEqual([]);
  });

  it('refuses to judge a file that it cannot read', () => {
    expect(() => findings('function {')).toThrow(/src\/a\.test\.ts/);
  });
});
