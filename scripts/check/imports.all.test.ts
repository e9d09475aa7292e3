import { describe, expect, it } from 'vitest';
import type { StepResult } from '../steps.ts';
import { checkImports, judgeCruise } from './imports.ts';
import { fixtureTree } from './testing/fixture-tree.ts';

const helper = 'packages/server-helper/src';
const sandbox = 'packages/gateway-sandbox/src';

function details(result: StepResult): string {
  return result.ok ? '' : result.details;
}

describe('the check of imports', () => {
  it('accepts imports that run one way', async () => {
    const top = fixtureTree({
      [`${helper}/money.ts`]: 'export type Money = bigint;\n',
      [`${helper}/payments/judge.ts`]: "export type { Money } from '../money.ts';\n",
      [`${helper}/flows/confirm.ts`]: "export type { Money } from '../payments/judge.ts';\n",
    });
    expect(await checkImports(top)).toEqual({ ok: true, remark: '3 files' });
  });

  it('finds each import against the direction, type imports too', async () => {
    const top = fixtureTree({
      [`${sandbox}/state.ts`]: 'export type State = 1;\n',
      [`${helper}/index.ts`]: "import type { State } from '../../gateway-sandbox/src/state.ts';\n",
      [`${helper}/flows/confirm.ts`]: 'export type Confirm = 1;\n',
      [`${helper}/payments/judge.ts`]: "import 'node:fs';\n",
      [`${helper}/gateway/client.ts`]: "import type { Confirm } from '../flows/confirm.ts';\n",
      [`${helper}/stores/store.ts`]: "import '../gateway/client.ts';\n",
      'demo/src/main.ts': 'export const shop = 1;\n',
      [`${sandbox}/routes/status.ts`]: "import '../../../../demo/src/main.ts';\n",
      [`${sandbox}/domain/session.ts`]: "import '../routes/status.ts';\n",
    });
    const found = details(await checkImports(top));
    for (const rule of [
      'server-helper-stands-alone',
      'payments-are-pure',
      'gateway-and-stores-know-no-flow',
      'gateway-and-stores-do-not-meet',
      'packages-know-no-shop',
      'sandbox-domain-is-pure',
    ]) {
      expect(found).toContain(`${rule}: `);
    }
  });

  it('finds a cycle that is made of type imports only', async () => {
    const top = fixtureTree({
      'demo/src/a.ts': "import type { B } from './b.ts';\nexport type A = B[];\n",
      'demo/src/b.ts': "import type { A } from './a.ts';\nexport type B = A | 1;\n",
    });
    expect(details(await checkImports(top))).toContain('no-cycles: ');
  });

  it('finds an import that leads nowhere', async () => {
    const top = fixtureTree({ 'demo/src/a.ts': "import './gone.ts';\n" });
    expect(details(await checkImports(top))).toContain('imports-resolve: demo/src/a.ts');
  });

  it('fails when there was no source file, or one was not read', async () => {
    const empty = fixtureTree({ 'demo/readme.md': '' });
    expect(details(await checkImports(empty))).toContain('no source file');
    const nothingRead = { modules: [], summary: { violations: [] } };
    expect(details(judgeCruise(['demo/src/a.ts'], nothingRead))).toContain('was not read');
  });
});
