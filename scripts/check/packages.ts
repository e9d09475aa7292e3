import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pack } from '../process/npm.ts';
import { foundResult, type StepResult } from '../process/report-step.ts';
import { checkTypes } from './package-types.ts';
import { runTool } from './programs.ts';

/** Packed files that no merchant needs. */
const unwanted = /\.test\.|^test-support\/|\.tsbuildinfo$/;

/**
 * Packs every package below `packages/` and examines the tarball, as a merchant would get it:
 * its contents, its manifest (publint), and its types in projects that import it.
 *
 * @param top a folder whose packages are built.
 */
export async function checkPackages(top: string): Promise<StepResult> {
  const scratch = mkdtempSync(join(tmpdir(), 'pay-button-pack-'));
  try {
    const names = readdirSync(join(top, 'packages')).filter((name) =>
      existsSync(join(top, 'packages', name, 'package.json')),
    );
    const findings: string[] = [];
    for (const name of names) {
      const found = await examine(join(top, 'packages', name), scratch);
      findings.push(...found.map((finding) => `packages/${name}: ${finding}`));
    }
    if (names.length === 0) findings.push('there was no package to check');
    return foundResult(findings, `${names.length} tarballs`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function examine(folder: string, scratch: string): Promise<readonly string[]> {
  const packed = await pack(folder, scratch);
  if (typeof packed === 'string') return [packed];
  const { tarball } = packed;
  const findings = packed.files
    .filter(({ path }) => unwanted.test(path))
    .map(({ path }) => `${path} must not be published`);
  const published = await runTool('publint', ['run', tarball, '--strict']);
  if (published.code !== 0) findings.push(`publint:\n${published.output}`);
  findings.push(...(await checkTypes(folder, packed.files, scratch)));
  return findings;
}
