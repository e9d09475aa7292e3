import { writeFileSync } from 'node:fs';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/** Where {@link VitestCounter} writes; set by the test runner. */
export const vitestCountsVariable = 'VITEST_COUNTS_FILE';

/** What the counter writes: numbers for each project, and errors that belong to no test. */
export interface VitestCounts {
  readonly projects: Record<string, { passed: number; failed: number; skipped: number }>;
  readonly unhandled: readonly string[];
}

/**
 * A Vitest reporter that counts tests by project. Vitest's own JSON does not name the project of a
 * file, and without that a project that ran nothing could not be seen.
 */
export default class VitestCounter implements Reporter {
  #projects: VitestCounts['projects'] = {};

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
    counts.failed += module.errors().length;
    for (const test of module.children.allTests()) {
      const state = test.result().state;
      if (state === 'passed') counts.passed += 1;
      else if (state === 'skipped') counts.skipped += 1;
      else counts.failed += 1;
    }
  }

  #of(project: string): { passed: number; failed: number; skipped: number } {
    return (this.#projects[project] ??= { passed: 0, failed: 0, skipped: 0 });
  }
}
