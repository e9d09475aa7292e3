import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { foundResult, type StepResult } from '../steps.ts';
import { root } from '../process.ts';
import { houseFiles } from '../tidy/house-files.ts';

/** An area of the repository, and how many lines of code it may have. */
interface Area {
  readonly name: string;
  /** What the paths of its files begin with; the first area that fits has the file. */
  readonly folders: readonly string[];
  readonly lines: number;
}

const TESTS = 'tests and their support';
const isCode = (path: string): boolean =>
  /\.(?:css|html|js|mjs|sql|ts|yaml|yml)$/.test(path) &&
  !/(?:^|\/)(?:corpus|fixtures)\//.test(path);
const isTest = (path: string): boolean =>
  /\.test\.|(?:^|\/)(?:test-support|testing|doubles)\//.test(path);

/**
 * Holds each area of the repository below its ceiling. A commit that makes an area smaller lowers its
 * ceiling; no commit raises one without a decision record that says why.
 */
export async function checkSize(top: string): Promise<StepResult> {
  const text = readFileSync(join(root, 'scripts/check/ceilings.json'), 'utf8');
  const areas = JSON.parse(text) as readonly Area[];
  const areaOf = (path: string): string | undefined =>
    areas.find(({ name, folders }) =>
      isTest(path) ? name === TESTS : folders.some((folder) => path.startsWith(folder)),
    )?.name;
  const sizes = new Map<string | undefined, number>();
  for (const file of houseFiles(top).filter(({ path }) => isCode(path))) {
    const area = areaOf(file.path);
    sizes.set(area, (sizes.get(area) ?? 0) + file.text.split('\n').length - 1);
  }
  const findings = areas
    .filter(({ name, lines }) => (sizes.get(name) ?? 0) > lines)
    .map(({ name, lines }) => `${name}: ${sizes.get(name)} lines, and the ceiling is ${lines}`);
  const tests = sizes.get(TESTS) ?? 0;
  const all = [...sizes.values()].reduce((sum, lines) => sum + lines, 0);
  return foundResult(findings, `${all - tests} lines outside tests, ${tests} of tests`);
}
