import type { StepResult } from '../process/report-step.ts';

/** The part of dependency-cruiser's JSON that we read. */
export interface Cruise {
  readonly modules: readonly { readonly source: string }[];
  readonly summary: {
    readonly violations: readonly {
      readonly from: string;
      readonly to: string;
      readonly rule: { readonly name: string };
      readonly cycle?: readonly { readonly name: string }[];
    }[];
  };
}

/**
 * Every source file on disk must be among the modules that were read: under TypeScript 7 the tool
 * can otherwise find nothing, and call that clean.
 *
 * @param sources the source files on disk, relative like the modules' names.
 */
export function judgeCruise(sources: readonly string[], cruise: Cruise): StepResult {
  const read = new Set(cruise.modules.map((module) => module.source));
  const findings = [
    ...sources
      .filter((source) => !read.has(source))
      .map((source) => `${source}: was not read, so its imports are unchecked`),
    ...cruise.summary.violations.map(({ rule, from, to, cycle }) => {
      const way = cycle === undefined ? to : cycle.map(({ name }) => name).join(' → ');
      return `${rule.name}: ${from} → ${way}`;
    }),
  ];
  if (sources.length === 0) findings.push('there was no source file to read');
  if (findings.length > 0) return { ok: false, details: findings.join('\n') };
  return { ok: true, remark: `${sources.length} files` };
}
