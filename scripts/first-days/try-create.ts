import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { payAsShopper } from '../examples/pay-as-shopper.ts';
import type { StepResult } from '../process/report-step.ts';
import { root } from '../process/root.ts';
import { Shell } from './shell.ts';
import { partOf, writtenSteps } from './written-steps.ts';

/**
 * The quick start's first part, in an empty folder, to a paid order: no line is written by hand. The
 * ports are those that the written shop has found free.
 */
export async function tryCreate(registry: string): Promise<StepResult> {
  const text = readFileSync(join(root, 'docs/quick-start.md'), 'utf8');
  const steps = writtenSteps(partOf(text, '## In a minute'));
  const scratch = mkdtempSync(join(tmpdir(), 'pay-button-create-'));
  const home = join(scratch, 'empty');
  mkdirSync(home);
  const cache = join(scratch, 'cache');
  const settings = { npm_config_registry: registry, npm_config_cache: cache };
  const shell = new Shell(home, { ...settings, npm_config_yes: 'true' });
  const startedAt = performance.now();
  try {
    let shop = '';
    for (const step of steps) {
      assert(step.kind === 'command', 'no file is written by hand');
      if (step.line !== 'npm start') {
        await shell.run(step.line);
        continue;
      }
      shop = parseEnv(readFileSync(join(shell.cwd, '.env'), 'utf8'))['PUBLIC_URL'] ?? '';
      await shell.start(step.line, `${shop}/`);
    }
    await payAsShopper(shop);
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    return { ok: true, remark: `paid after ${steps.length} commands and ${seconds} s` };
  } finally {
    await shell.close();
    rmSync(scratch, { recursive: true, force: true });
  }
}
