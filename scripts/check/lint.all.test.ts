import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { StepResult } from '../steps.ts';
import { root } from '../process.ts';
import { checkLint } from './programs.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const settings = '{ "compilerOptions": { "strict": true, "types": [] }, "include": ["**/*.ts"] }';

/** Lints a tree with this repository's settings. */
async function lint(files: Readonly<Record<string, string>>): Promise<StepResult> {
  const top = fixtureTree({ 'tsconfig.json': settings, ...files });
  copyFileSync(join(root, '.oxlintrc.json'), join(top, '.oxlintrc.json'));
  mkdirSync(join(top, 'scripts'));
  symlinkSync(join(root, 'scripts/tools'), join(top, 'scripts/tools'));
  return checkLint(top);
}

describe('the linter', () => {
  it('accepts clean code', async () => {
    expect(await lint({ 'src/a.ts': 'export const amount: number = 1;\n' })).toEqual({ ok: true });
  });

  it('finds what only types can show: a promise without await, a forgotten case', async () => {
    const result = await lint({
      'src/a.ts': [
        'const send = async (): Promise<void> => {};',
        'export function pay(): void { send(); }',
        "export function judge(state: 'paid' | 'failed'): void {",
        "  switch (state) { case 'paid': break; }",
        '}',
      ].join('\n'),
    });
    expect(result.ok ? '' : result.details).toContain('no-floating-promises');
    expect(result.ok ? '' : result.details).toContain('switch-exhaustiveness-check');
  });

  it('finds any, and a non-null assertion outside tests', async () => {
    const code = 'export const a = (b: any): string => b;\nexport const c = (d?: string) => d!;\n';
    const result = await lint({ 'src/a.ts': code });
    expect(result.ok ? '' : result.details).toContain('no-explicit-any');
    expect(result.ok ? '' : result.details).toContain('no-non-null-assertion');
  });

  it("finds mistakes in the widget's templates and elements", async () => {
    const result = await lint({
      'packages/widget/src/pay.ts': [
        'declare const html: (strings: TemplateStringsArray, ...values: unknown[]) => string;',
        'declare class LitElement { connectedCallback(): void; }',
        'export class PayX extends LitElement {',
        '  override connectedCallback(): void { this.render(); }',
        '  render(): string { return html`<p title="${1}" title=${2}></p>`; }',
        '}',
      ].join('\n'),
    });
    expect(result.ok ? '' : result.details).toContain('lit(quoted-expressions)');
    expect(result.ok ? '' : result.details).toContain('lit(lifecycle-super)');
  });
});
