import { describe, expect, it } from 'vitest';
import { cut, drop, replace, rewrite } from '../../build/lit/edit.ts';

describe('an edit of Lit', () => {
  const code = 'class A {\n    b() {\n        c();\n    }\n    d() { }\n}\n';

  it('changes what it names and nothing else', () => {
    expect(drop('A', 'b')(code)).toBe('class A {\n    d() { }\n}\n');
    expect(rewrite('A', 'd', 'e() {}')(code)).toBe(code.replace('    d() { }', 'e() {}'));
    expect(replace('c();', '')(code)).toBe(code.replace('c();', ''));
    expect(cut('c();', 'd()')(code)).toBe('class A {\n    b() {\n        d() { }\n}\n');
  });

  it('stops the build when Lit no longer has what it names', () => {
    for (const edit of [
      drop('A', 'x'),
      drop('X', 'b'),
      replace('x', ''),
      cut('x', 'd'),
      cut('c', 'x'),
    ]) {
      expect(() => edit(code)).toThrow('Lit has changed');
    }
    expect(() => replace('A', '', 2)(code)).toThrow('found 1 times, not 2');
  });
});
