import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root, runNode } from '../process.ts';

it.each([
  ['--store', 'memory'],
  ['--kills', '0'],
  ['--quickly', ''],
])('npm run tool -- torture %s %s is refused with 2, and says where help is', async (...args) => {
  const script = join(root, 'scripts/torture.ts');
  const command = ['--conditions=@pay-button/source', script, ...args.filter((one) => one !== '')];
  const { code, output } = await runNode(command, { output: 'capture' });
  expect(output).toContain('npm run tool -- torture --help');
  expect(code).toBe(2);
});
