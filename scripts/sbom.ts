/**
 * `npm run sbom` writes one list of parts (CycloneDX) for each package into `sbom/`: what a merchant
 * gets who installs it today, the package itself included. Needs a build of the packages.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, runNpm } from './process/npm.ts';
import { endedResult, reportStep, type StepResult } from './process/report-step.ts';
import { root } from './process/root.ts';
import { run } from './process/run.ts';

const destination = join(root, 'sbom');
const scratch = mkdtempSync(join(tmpdir(), 'pay-button-sbom-'));
try {
  mkdirSync(destination, { recursive: true });
  for (const name of readdirSync(join(root, 'packages'))) {
    const result = await reportStep(`sbom/${name}.cdx.json`, () => writeParts(name));
    if (!result.ok) process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Unpacks the tarball, installs what it asks for beside it, and lists what came. */
async function writeParts(name: string): Promise<StepResult> {
  const packed = await pack(join(root, 'packages', name), scratch);
  if (typeof packed === 'string') return { ok: false, details: packed };
  const folder = join(scratch, name);
  mkdirSync(folder);
  const unpacked = await run('tar', ['-xzf', packed.tarball, '-C', folder], { output: 'capture' });
  if (unpacked.code !== 0) return endedResult(unpacked);
  const cwd = join(folder, 'package');
  forgetDevelopment(join(cwd, 'package.json'));
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const installed = await runNpm(['install', ...flags], { cwd });
  if (installed.code !== 0) return endedResult(installed);
  const format = ['--sbom-format=cyclonedx', '--omit=dev', '--loglevel=silent'];
  const listed = await runNpm(['sbom', ...format], { cwd });
  if (listed.code !== 0) return endedResult(listed);
  const text = listed.output.slice(listed.output.indexOf('{'));
  const { components } = JSON.parse(text) as { components: readonly object[] };
  writeFileSync(join(destination, `${name}.cdx.json`), text);
  return { ok: true, remark: `${components.length} parts` };
}

/** A merchant never gets what a package is developed with; npm would miss it in the list. */
function forgetDevelopment(file: string): void {
  const { devDependencies: _left, ...manifest } = JSON.parse(readFileSync(file, 'utf8')) as Record<
    string,
    unknown
  >;
  writeFileSync(file, JSON.stringify(manifest));
}
