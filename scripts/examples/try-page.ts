import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endedResult, type StepResult } from '../process/report-step.ts';
import { runNode } from '../process/run.ts';

/** Builds a page with Vite; with `types` the compiler first checks it against the tarballs' types. */
export async function tryBuild(
  folder: string,
  name: string,
  { types }: { readonly types: boolean },
): Promise<StepResult> {
  const cwd = join(folder, 'examples', name);
  if (types) {
    const compiler = join(folder, 'node_modules/typescript/bin/tsc');
    const checked = endedResult(await runNode([compiler, '--noEmit'], { cwd, output: 'capture' }));
    if (!checked.ok) return checked;
  }
  const vite = join(folder, 'node_modules/vite/bin/vite.js');
  const built = endedResult(await runNode([vite, 'build'], { cwd, output: 'capture' }));
  if (!built.ok) return built;
  const page = join(cwd, 'dist/index.html');
  return existsSync(page) ? built : { ok: false, details: 'The build left no dist/index.html.' };
}

/** Every file that the page asks `/pay` for has to be among those that the widget brings. */
export async function tryStaticPage(folder: string): Promise<StepResult> {
  const page = readFileSync(join(folder, 'examples/static-page/index.html'), 'utf8');
  const files = [...page.matchAll(/(?:src|href)="\/pay\/([^"]+)"/g)].map(([, file = '']) => file);
  const missing = files.filter(
    (file) => !existsSync(join(folder, 'node_modules/@pay-button/widget/dist', file)),
  );
  if (files.length === 0) return { ok: false, details: 'The page asks for no file of the widget.' };
  if (missing.length === 0) return { ok: true, remark: files.join(', ') };
  return { ok: false, details: `The widget has no ${missing.join(', ')}.` };
}
