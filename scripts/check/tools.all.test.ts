import { copyFileSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../process.ts';
import { checkCodeBlocks } from './code-blocks.ts';
import { checkDeadCode, checkFormat, checkImports, checkLint, judgeCruise } from './programs.ts';
import { findingsOf } from './testing/fixture-tree.ts';

/** A tool takes seconds; a busy machine may take minutes. */
const timeout = 300_000;

// The house's own tree passes each of them whenever `npm run check` does.
it('the format: a file that is not formatted is named', async () => {
  const crooked = { 'crooked.ts': 'export const  a=1' };
  expect(await findingsOf(checkFormat, crooked)).toContain('crooked.ts');
});

it('dead code: an unused file, an unused export and a dependency that no manifest lists are found', async () => {
  const found = await findingsOf(checkDeadCode, {
    'package.json': '{ "name": "shop", "type": "module", "main": "index.js" }',
    'index.js': "import 'left-pad';\nimport { price } from './price.js';\nconsole.log(price);\n",
    'price.js': 'export const price = 1;\nexport const oldPrice = 2;\n',
    'forgotten.js': 'export const forgotten = 1;\n',
  });
  for (const finding of ['forgotten.js', 'oldPrice', 'left-pad']) expect(found).toContain(finding);
});

/** Lints a tree with this repository's settings. */
async function lint(top: string): Promise<void> {
  copyFileSync(join(root, '.oxlintrc.json'), join(top, '.oxlintrc.json'));
  mkdirSync(join(top, 'scripts'));
  symlinkSync(join(root, 'scripts/tools'), join(top, 'scripts/tools'));
  return checkLint(top);
}

it(
  'the linter: what only types can show, any, a non-null assertion, and mistakes in templates and elements are found',
  { timeout },
  async () => {
    const compilerOptions = { strict: true, types: [] };
    const found = await findingsOf(lint, {
      'tsconfig.json': JSON.stringify({ compilerOptions, include: ['**/*.ts'] }),
      'src/pay.ts': `const send = async (): Promise<void> => {};
export function pay(): void { send(); }
export function judge(state: 'paid' | 'failed'): void {
  switch (state) { case 'paid': break; }
}
export const a = (b: any): string => b;
export const c = (d?: string) => d!;
`,
      'packages/widget/src/pay.ts': `declare const html: (strings: TemplateStringsArray, ...values: unknown[]) => string;
declare class LitElement { connectedCallback(): void; }
export class PayX extends LitElement {
  override connectedCallback(): void { this.render(); }
  render(): string { return html\`<p title="\${1}" title=\${2}></p>\`; }
}
`,
    });
    const types = ['no-floating-promises', 'switch-exhaustiveness-check', 'no-explicit-any'];
    const lit = ['lit(quoted-expressions)', 'lit(lifecycle-super)'];
    for (const rule of [...types, 'no-non-null-assertion', ...lit]) expect(found).toContain(rule);
  },
);

const helper = 'packages/server-helper/src';
const sandbox = 'packages/gateway-sandbox/src';

it(
  'imports: each against the direction, a cycle of types alone and one that leads nowhere are found',
  { timeout },
  async () => {
    const found = await findingsOf(checkImports, {
      [`${sandbox}/state.ts`]: 'export type State = 1;\n',
      [`${helper}/index.ts`]: "import type { State } from '../../gateway-sandbox/src/state.ts';\n",
      [`${helper}/flows/confirm.ts`]: 'export type Confirm = 1;\n',
      [`${helper}/payments/judge.ts`]: "import 'node:fs';\n",
      [`${helper}/gateway/client.ts`]: "import type { Confirm } from '../flows/confirm.ts';\n",
      [`${helper}/stores/store.ts`]: "import '../gateway/client.ts';\n",
      'demo/src/main.ts': 'export const shop = 1;\n',
      [`${sandbox}/routes/status.ts`]: "import '../../../../demo/src/main.ts';\n",
      [`${sandbox}/domain/session.ts`]: "import '../routes/status.ts';\n",
      'demo/src/a.ts': "import type { B } from './b.ts';\nexport type A = B[];\n",
      'demo/src/b.ts': "import type { A } from './a.ts';\nexport type B = A | 1;\n",
      'demo/src/lost.ts': "import './gone.ts';\n",
    });
    for (const rule of [
      'server-helper-stands-alone: ',
      'payments-are-pure: ',
      'gateway-and-stores-know-no-flow: ',
      'gateway-and-stores-do-not-meet: ',
      'packages-know-no-shop: ',
      'sandbox-domain-is-pure: ',
      'no-cycles: ',
      'imports-resolve: demo/src/lost.ts',
    ]) {
      expect(found).toContain(rule);
    }
  },
);

it('imports: a tree without a source file fails, and so does a file that was not read', async () => {
  expect(await findingsOf(checkImports, { 'demo/readme.md': '' })).toContain('no source file');
  const nothingRead = { modules: [], summary: { violations: [] } };
  expect(() => judgeCruise(['demo/src/a.ts'], nothingRead)).toThrow('was not read');
});

const block = (info: string, code: string) => `# Guide\n\n\`\`\`${info}\n${code}\n\`\`\`\n`;

it(
  'code blocks: complete ones and the examples of the client’s methods that do not compile are named by their places',
  { timeout },
  async () => {
    const example = (code: string) => `/**\n   * Sells.\n   * @example\n   * ${code}\n   */\n`;
    const found = await findingsOf(checkCodeBlocks, {
      'docs/guide.md': block('ts complete', "const fine = 1;\nconst wrong: number = 'text';"),
      [`${helper}/gateway/sale.ts`]:
        example('await client.listWebhooks();') + example('await client.sel();'),
    });
    expect(found).toMatch(/^docs\/guide\.md:5: error TS2322/m);
    expect(found).toMatch(/^packages\S+sale\.ts:9: error TS2339/m);
  },
);
