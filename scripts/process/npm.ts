import { join } from 'node:path';
import { type RunOptions, succeed } from './run.ts';

/**
 * How to call npm: by the path that npm gave us where it started us, because the `npm` on the PATH
 * may be another one.
 */
export function npmCommand(): readonly [string, ...string[]] {
  const path = process.env['npm_execpath'];
  return path?.endsWith('.js') === true ? [process.execPath, path] : ['npm'];
}

/** Runs npm to a good end. @returns what it printed. @throws with that where it ends badly. */
export function runNpm(
  parameters: readonly string[],
  options: Omit<RunOptions, 'output'> = {},
): Promise<string> {
  const [npm, ...first] = npmCommand();
  return succeed(npm, [...first, ...parameters], options);
}

/** A package as a merchant would get it. */
export interface Packed {
  /** The path of the tarball. */
  readonly tarball: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the built package in `folder` into `destination`. @throws with npm's words where it cannot. */
export async function pack(folder: string, destination: string): Promise<Packed> {
  const parameters = ['pack', '--json', '--silent', '--ignore-scripts'];
  const output = await runNpm([...parameters, `--pack-destination=${destination}`], {
    cwd: folder,
    env: { npm_config_loglevel: 'silent' },
  });
  const { filename, files } = readAnswer(output);
  return { tarball: join(destination, filename), files };
}

interface Answer extends Pick<Packed, 'files'> {
  readonly filename: string;
}

/** npm answers a list of one, or (since npm 12) an object keyed by the package's name. */
function readAnswer(output: string): Answer {
  const parsed = JSON.parse(output.slice(output.search(/[[{]/))) as
    | Answer[]
    | Record<string, Answer>;
  const packed = Object.values(parsed)[0];
  if (packed === undefined) throw new Error(`npm pack named no tarball:\n${output}`);
  return packed;
}
