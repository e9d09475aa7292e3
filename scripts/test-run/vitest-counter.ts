import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule, Vitest } from 'vitest/node';
import { root } from '../process/root.ts';
import type { TestsReport } from './outcome.ts';

/** Where {@link VitestCounter} writes; set by the test runner. */
export const vitestCountsVariable = 'VITEST_COUNTS_FILE';

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  failures: string[];
}

/** What the counter writes: numbers for each project, and errors that belong to no test. */
export interface VitestCounts {
  readonly projects: Record<string, Pick<TestsReport, keyof Counts>>;
  readonly unhandled: readonly string[];
}

/**
 * A Vitest reporter that counts tests by project. Vitest's own JSON does not name the project of a
 * file, and without that a project that ran nothing could not be seen.
 */
export default class VitestCounter implements Reporter {
  #projects: Record<string, Counts> = {};

  onInit(vitest: Vitest): void {
    for (const project of vitest.projects) this.#of(project.name);
  }

  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message: string }[]): void {
    for (const module of modules) this.#count(module);
    const path = process.env[vitestCountsVariable];
    if (path === undefined) return;
    const counts: VitestCounts = {
      projects: this.#projects,
      unhandled: unhandled.map((error) => error.message),
    };
    writeFileSync(path, JSON.stringify(counts));
  }

  #count(module: TestModule): void {
    const counts = this.#of(module.project.name);
    // A file that cannot be loaded has no tests, and must still count.
    for (const error of module.errors()) fail(counts, module.moduleId, error);
    for (const test of module.children.allTests()) {
      const { state, errors } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'skipped') counts.skipped += 1;
      else fail(counts, `${module.moduleId} > ${test.fullName}`, errors?.[0]);
    }
  }

  #of(project: string): Counts {
    return (this.#projects[project] ??= { passed: 0, failed: 0, skipped: 0, failures: [] });
  }
}

function fail(counts: Counts, name: string, error: { message: string } | undefined): void {
  counts.failed += 1;
  const [reason = ''] = (error?.message ?? '').split('\n');
  counts.failures.push(`${relative(root, name)}: ${reason}`);
}
