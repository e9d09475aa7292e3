/**
 * How to call npm: by the path it gave us where it started us, because the `npm` on the PATH may
 * be another one.
 */
export function npmCommand(env: NodeJS.ProcessEnv = process.env): readonly [string, ...string[]] {
  const path = env['npm_execpath'];
  return path?.endsWith('.js') === true ? [process.execPath, path] : ['npm'];
}
