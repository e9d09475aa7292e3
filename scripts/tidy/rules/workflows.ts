import { parse } from 'yaml';
import { type Finding, lineAt, type Rule } from '../rule.ts';

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly 'runs-on'?: string;
  readonly 'timeout-minutes'?: number;
  readonly needs?: string | readonly string[];
  readonly permissions?: unknown;
  readonly steps?: readonly Step[];
}

interface Workflow {
  readonly on?: unknown;
  readonly permissions?: unknown;
  readonly jobs?: Readonly<Record<string, Job>>;
}

/**
 * A workflow runs without a person, with rights that an attacker wants. So it states its rights, pins
 * the code that it runs, and has a time limit.
 */
export const workflows: Rule = {
  name: 'workflows',
  check: ({ path, text }) => {
    if (!/^\.github\/workflows\/[^/]+\.ya?ml$/.test(path)) return [];
    const at = (what: string): number => lineAt(text, Math.max(0, text.indexOf(what)));
    const workflow = parse(text) as Workflow;
    const jobs = Object.entries(workflow.jobs ?? {});
    const findings: Finding[] = unpinned(text);
    if (JSON.stringify(workflow.on ?? '').includes('pull_request_target')) {
      const message = 'pull_request_target runs a stranger’s change with our rights';
      findings.push({ line: at('pull_request_target'), message });
    }
    for (const [name, job] of jobs) {
      const line = at(`\n  ${name}:`) + 1;
      const found = [
        ...faultsOf(job, Object.keys(workflow.jobs ?? {}), workflow.permissions),
        ...(job.steps ?? []).flatMap(stepFaults),
        ...publishingFaults(job, workflow.permissions),
      ];
      findings.push(...found.map((message) => ({ line, message: `job ${name}: ${message}` })));
    }
    return findings;
  },
};

/** A tag can be moved to other code; a commit cannot, and its comment says which version it is. */
function unpinned(text: string): Finding[] {
  return text.split('\n').flatMap((line, index) => {
    const used = /^\s*(?:- )?uses: (.+)$/.exec(line)?.[1];
    if (used === undefined || /^\.\/|^[\w./-]+@[0-9a-f]{40} # v\d/.test(used)) return [];
    return [
      { line: index + 1, message: 'pin the action by its commit: owner/name@<commit> # v1.2.3' },
    ];
  });
}

function faultsOf(job: Job, names: readonly string[], ofAll: unknown): readonly string[] {
  const rights = job.permissions ?? ofAll;
  const strangers = [job.needs ?? []].flat().filter((needed) => !names.includes(needed));
  return [
    ...(job['timeout-minutes'] === undefined
      ? ['say timeout-minutes; the default is six hours']
      : []),
    ...((job['runs-on'] ?? '-latest').endsWith('-latest') ? ['name the runner’s version'] : []),
    ...(rights === undefined || rights === 'write-all' ? ['say which permissions it needs'] : []),
    ...strangers.map((needed) => `needs ${needed}, which is no job`),
  ];
}

/** The right to publish is stolen by any code that runs beside it: that of a dependency too. */
function publishingFaults({ permissions, steps = [] }: Job, ofAll: unknown): readonly string[] {
  if (!JSON.stringify(permissions ?? ofAll ?? '').includes('"id-token":"write"')) return [];
  const checksOut = steps.some(({ uses = '' }) => uses.startsWith('actions/checkout@'));
  const runsCode = steps.some(({ run = '' }) =>
    /\.ci\/|\bnode\b|\bnpx\b|\bnpm (?!publish\b)/.test(run),
  );
  const besideNpm = steps.some(
    ({ uses = '', with: given = {} }) =>
      uses.startsWith('actions/download-artifact@') && given['path'] === undefined,
  );
  return [
    ...(besideNpm ? ['may publish, so what it downloads has a folder: npm reads .npmrc'] : []),
    ...(checksOut ? ['may publish, so it checks nothing out'] : []),
    ...(runsCode ? ['may publish, so it runs nothing but npm publish'] : []),
  ];
}

function stepFaults({ uses = '', run = '', with: given = {} }: Step): readonly string[] {
  const keepsToken = uses.startsWith('actions/checkout@') && given['persist-credentials'] !== false;
  const namesRegistry = given['registry-url'] !== undefined || /registry\S*:\/\//.test(run);
  return [
    ...(keepsToken ? ['the checkout leaves its token behind: persist-credentials: false'] : []),
    ...(namesRegistry ? ['names a registry; each machine has its own'] : []),
    ...(run.includes('${{') ? ['an expression inside a script can be a script: use env'] : []),
  ];
}
