/**
 * `npm run bench -- <name>` runs one measurement and keeps its figures in bench/README.md; without a
 * name it lists what there is. Ends with 1 when a budget was clearly missed, with 2 after a wrong call.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runNpm } from '../../scripts/process.ts';
import { runCommand } from '../../scripts/long-run.ts';
import { measureBackOffice } from './back-office/back-office.ts';
import { measureGrowth } from './back-office/growth.ts';
import { measureClient } from './client/client.ts';
import { measureEdge } from './edge/edge.ts';
import { measureEngine, partNames } from './engine/engine.ts';
import { measureHostile, scenarioNames } from './hostile/hostile.ts';
import type { Measured } from './measured.ts';
import { measureMemory } from './memory.ts';
import { measurePages } from './pages.ts';
import { type Option, options, type Parameters, type Tell } from './parameters.ts';
import { measureSandbox } from './sandbox/sandbox.ts';
import { measureStart } from './start.ts';
import { measureTrips } from './trips.ts';
import { measureWidget } from './widget/widget.ts';

interface Bench {
  readonly about: string;
  /** What `--only` takes. */
  readonly parts?: readonly string[];
  readonly takes: readonly Option[];
  readonly run: (tell: Tell, parameters: Parameters) => Promise<Measured | readonly Measured[]>;
}

const benches: Readonly<Record<string, Bench>> = {
  'back-office': {
    about: 'every page of the back office over HTTP, where a store holds a year of payments',
    takes: ['payments', 'rounds', 'store'],
    run: measureBackOffice,
  },
  client: {
    about: 'CPU and time a call of the gateway client beside raw undici and stripe-node',
    takes: ['rounds'],
    run: measureClient,
  },
  edge: {
    about: 'one shop process at twice the load that it can answer, then stopped under it',
    takes: ['seconds', 'store'],
    run: measureEdge,
  },
  engine: {
    about: 'checkout and confirmation beside shops by hand, stripe-node and Medusa',
    parts: partNames,
    takes: ['only', 'rounds', 'store'],
    run: measureEngine,
  },
  growth: {
    about: 'what a shop’s work and an order’s disk take on PostgreSQL, at up to a million orders',
    takes: ['rounds'],
    run: measureGrowth,
  },
  hostile: {
    about:
      'honest shoppers under forged webhooks and hints, a database that hangs, and slow clients',
    parts: scenarioNames,
    takes: ['only', 'seconds', 'rate', 'store'],
    run: measureHostile,
  },
  memory: {
    about: 'what our process holds after many payments on either store',
    takes: ['payments', 'store'],
    run: measureMemory,
  },
  pages: {
    about:
      'Lighthouse’s scores, bytes and requests of the pages that a newcomer sees first, on a phone',
    takes: ['rounds'],
    run: measurePages,
  },
  sandbox: {
    about: 'start, calls a second and memory of the sandbox beside a bare handler and a Prism mock',
    takes: [],
    run: measureSandbox,
  },
  start: {
    about: 'a cold process, until it has loaded the kit, and until its first answer',
    takes: ['rounds'],
    run: measureStart,
  },
  trips: {
    about: 'files and functions of our source that one checkout and one webhook to `paid` run',
    takes: [],
    run: measureTrips,
  },
  widget: {
    about: 'sizes and click to request of the elements beside floors',
    takes: [],
    run: measureWidget,
  },
};

const readme = fileURLToPath(new URL('../README.md', import.meta.url));

const [name = '--help', ...args] = process.argv.slice(2);
const bench = benches[name];
if (bench === undefined) {
  console.log('npm run bench -- <name> [options]; --help after a name lists its options.');
  for (const [one, { about }] of Object.entries(benches))
    console.log(`  ${one.padEnd(11)}  ${about}`);
  process.exitCode = name === '--help' ? 0 : 2;
} else {
  const { about, parts, takes } = bench;
  const lines = takes.map((option) => {
    const words = option === 'only' ? `, ${parts?.join(' or ')}` : '';
    return `  --${option.padEnd(8)} ${options[option].means}${words}`;
  });
  const help = [`npm run bench -- ${name}: ${about}`, ...lines].join('\n');
  const readers = Object.fromEntries(takes.map((option) => [option, options[option].read(parts)]));
  await runCommand(help, readers, (given) => measure(name, bench, given), args);
}

/** Measures, prints the figures and keeps them. @returns the code to end with */
async function measure(title: string, { run }: Bench, parameters: Parameters): Promise<number> {
  const tell = (text: string): void => console.error(`${title}: ${text}`);
  const measured = [await run(tell, parameters)].flat();
  for (const { markdown, marks = title } of measured) {
    console.log(markdown);
    writeFileSync(readme, withResults(readFileSync(readme, 'utf8'), marks, markdown));
  }
  await runNpm(['run', 'format', '--', readme]);
  return measured.every(({ isWithinBudget }) => isWithinBudget) ? 0 : 1;
}

/**
 * Puts a measurement's figures into a document, between the two marks that bear its name:
 * `<!-- client: begin -->` and `<!-- client: end -->`.
 *
 * @throws when the document has no such marks, has them more than once, or the other way round.
 */
function withResults(document: string, marks: string, figures: string): string {
  const [begin, end] = [`<!-- ${marks}: begin -->`, `<!-- ${marks}: end -->`];
  const [head = '', rest = '', ...more] = document.split(begin);
  const [, tail, ...others] = rest.split(end);
  if (tail === undefined || head.includes(end) || more.length + others.length > 0)
    throw new Error(`The document must have the two marks of ${marks} once, in this order.`);
  return `${head}${begin}\n\n${figures.trim()}\n\n${end}${tail}`;
}
