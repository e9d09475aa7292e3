import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judgeFindings } from '../steps.ts';
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
export async function checkSize(top: string): Promise<string> {
  const text = readFileSync(join(root, 'scripts/check/ceilings.json'), 'utf8');
  const areas = JSON.parse(text) as readonly Area[];
  const sizes = new Map<string | undefined, number>();
  for (const { path, text: code } of houseFiles(top).filter((file) => isCode(file.path))) {
    const area = areas.find(({ name, folders }) =>
      isTest(path) ? name === TESTS : folders.some((folder) => path.startsWith(folder)),
    )?.name;
    sizes.set(area, (sizes.get(area) ?? 0) + code.split('\n').length - 1);
  }
  const findings = areas
    .filter(({ name, lines }) => (sizes.get(name) ?? 0) > lines)
    .map(({ name, lines }) => `${name}: ${sizes.get(name)} lines, and the ceiling is ${lines}`);
  const tests = sizes.get(TESTS) ?? 0;
  const all = [...sizes.values()].reduce((sum, lines) => sum + lines, 0);
  return judgeFindings(findings, `${all - tests} lines outside tests, ${tests} of tests`);
}
