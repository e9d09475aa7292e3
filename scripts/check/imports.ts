import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { filesBelow } from '../build/skip-unchanged.ts';
import { localBinary } from '../process/local-binary.ts';
import type { StepResult } from '../process/report-step.ts';
import { root } from '../process/root.ts';
import { runNode } from '../process/run.ts';
import { judgeCruise, type Cruise } from './judge-cruise.ts';

const folders = ['packages', 'demo', 'e2e', 'bench', 'scripts', 'contract'];

/** Checks the direction of imports and that there is no cycle, type imports included. */
export async function checkImports(top: string): Promise<StepResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'pay-button-imports-'));
  try {
    const cruised = join(scratch, 'cruise.json');
    const present = folders.filter((folder) => existsSync(join(top, folder)));
    const ended = await runNode(
      [
        localBinary('dependency-cruiser', 'dependency-cruiser'),
        `--config=${join(root, '.dependency-cruiser.mjs')}`,
        '--output-type=json',
        `--output-to=${cruised}`,
        ...present,
      ],
      { output: 'capture', cwd: top },
    );
    if (!existsSync(cruised)) return { ok: false, details: ended.output };
    return judgeCruise(
      sourcesBelow(top, present),
      JSON.parse(readFileSync(cruised, 'utf8')) as Cruise,
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function sourcesBelow(top: string, present: readonly string[]): readonly string[] {
  return present
    .flatMap((folder) => filesBelow(join(top, folder)))
    .map((path) => relative(top, path))
    .filter((path) => path.endsWith('.ts') && !path.includes('dist/') && !path.endsWith('.d.ts'));
}
