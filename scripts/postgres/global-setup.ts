import type { TestProject } from 'vitest/node';
import { startPostgres } from '../postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Connection string of the PostgreSQL of this run; see CONTRIBUTING.md. */
    readonly databaseUrl: string;
  }
}

/** Vitest's global set-up of the projects whose tests need PostgreSQL. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  const postgres = await startPostgres();
  project.provide('databaseUrl', postgres.url);
  return postgres.stop;
}
