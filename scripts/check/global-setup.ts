import { installIn, troubleOf } from '../process.ts';

/** Vitest's set-up of the tests that run the tools of `npm run check`, as that command has its own. */
export default async function setUp(): Promise<void> {
  const trouble = troubleOf(await installIn('scripts/tools'));
  if (trouble !== undefined) throw new Error(trouble);
}
