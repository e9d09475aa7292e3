import { join } from 'node:path';
import { type Ended, run, type RunOptions } from './run.ts';

/**
 * How to call npm: by the path that npm gave us where it started us, because the `npm` on the PATH
 * may be another one.
 */
export function npmCommand(): readonly [string, ...string[]] {
  const path = process.env['npm_execpath'];
  return path?.endsWith('.js') === true ? [process.execPath, path] : ['npm'];
}

/** Runs npm and captures its output. */
export function runNpm(
  parameters: readonly string[],
  options: Omit<RunOptions, 'output'> = {},
): Promise<Ended> {
  const [npm, ...first] = npmCommand();
  return run(npm, [...first, ...parameters], { ...options, output: 'capture' });
}

/** A package as a merchant would get it. */
export interface Packed {
  /** The path of the tarball. */
  readonly tarball: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs the built package in `folder` into `destination`; a text says why it could not be. */
export async function pack(folder: string, destination: string): Promise<Packed | string> {
  const parameters = ['pack', '--json', '--silent', '--ignore-scripts'];
  const ended = await runNpm([...parameters, `--pack-destination=${destination}`], {
    cwd: folder,
    env: { npm_config_loglevel: 'silent' },
  });
  if (ended.code !== 0) return `npm pack failed:\n${ended.output}`;
  const { filename, files } = readAnswer(ended.output);
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
