import type { StepResult } from '../process/report-step.ts';
import { tryNext } from './try-next.ts';
import { tryServer, tryServerWithPostgres } from './try-server.ts';
import { tryBuild, tryStaticPage } from './try-page.ts';

/** One example, and how it is tried in the folder where all of them are installed. */
interface Trial {
  readonly name: string;
  readonly run: (folder: string) => Promise<StepResult>;
}

/** A trial for every folder of `examples/`. */
export const trials: readonly Trial[] = [
  { name: 'express', run: tryServer },
  { name: 'express-postgres', run: tryServerWithPostgres },
  { name: 'static-page', run: tryStaticPage },
  { name: 'react', run: (folder) => tryBuild(folder, 'react', { types: true }) },
  { name: 'vue', run: (folder) => tryBuild(folder, 'vue', { types: false }) },
  { name: 'nextjs', run: tryNext },
];
