/**
 * `npm run tool -- sbom` writes one list of parts (CycloneDX) for each package into `sbom/`: what a merchant
 * gets who installs it today, the package itself included. Needs a build of the packages.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, root, runNpm, succeed } from './process.ts';
import { reportStep, type StepResult } from './steps.ts';

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
  const { tarball } = await pack(join(root, 'packages', name), scratch);
  const folder = join(scratch, name);
  mkdirSync(folder);
  await succeed('tar', ['-xzf', tarball, '-C', folder]);
  const cwd = join(folder, 'package');
  forgetDevelopment(join(cwd, 'package.json'));
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await runNpm(['install', ...flags], { cwd });
  const format = ['--sbom-format=cyclonedx', '--omit=dev', '--loglevel=silent'];
  const listed = await runNpm(['sbom', ...format], { cwd });
  const text = listed.slice(listed.indexOf('{'));
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
