/**
 * `npm run tool -- sbom` writes one list of parts (CycloneDX) for each package into `sbom/`: what a merchant
 * gets who installs it today, the package itself included. Needs a build of the packages.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack, root, runNpm, succeed } from './process.ts';
import { reportStep } from './steps.ts';

const destination = join(root, 'sbom');
const tarballs = new Map<string, string>();
const scratch = mkdtempSync(join(tmpdir(), 'pay-button-sbom-'));
try {
  mkdirSync(destination, { recursive: true });
  const names = readdirSync(join(root, 'packages'));
  for (const name of names) {
    const { tarball } = await pack(join(root, 'packages', name), scratch);
    tarballs.set(`@pay-button/${name}`, tarball);
  }
  for (const name of names) {
    const isWritten = await reportStep(`sbom/${name}.cdx.json`, () => writeParts(name));
    if (!isWritten) process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Unpacks a package, installs what it asks for beside it, and lists what came. */
async function writeParts(name: string): Promise<string> {
  const folder = join(scratch, name);
  mkdirSync(folder);
  await succeed('tar', ['-xzf', tarballs.get(`@pay-button/${name}`) ?? '', '-C', folder]);
  const cwd = join(folder, 'package');
  const file = join(cwd, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { dependencies?: object };
  // A merchant never gets what a package is developed with; npm would miss it in the list.
  writeFileSync(file, JSON.stringify({ ...manifest, devDependencies: undefined }));
  // Packages of ours are those of this release.
  const ours = Object.keys(manifest.dependencies ?? {}).flatMap((one) => tarballs.get(one) ?? []);
  const flags = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  await runNpm(['install', ...flags, ...ours], { cwd });
  const listed = await runNpm(['sbom', '--sbom-format=cyclonedx', '--omit=dev', '-s'], { cwd });
  const text = listed.slice(listed.indexOf('{')).replaceAll(`file:${scratch}/`, '');
  const { components } = JSON.parse(text) as { components: readonly object[] };
  writeFileSync(join(destination, `${name}.cdx.json`), text);
  return `${components.length} parts`;
}
