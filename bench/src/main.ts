/**
 * `npm run bench -- <name>` runs one measurement and keeps its figures in bench/README.md; without a
 * name it lists what there is. Ends with 1 when a budget was clearly missed.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { localBinary } from '../../scripts/process/local-binary.ts';
import { runNode } from '../../scripts/process/run.ts';
import { measureClient } from './client/client.ts';
import { measureEdge } from './edge/edge.ts';
import { measureEngine } from './engine/engine.ts';
import { measureHostile } from './hostile/hostile.ts';
import type { Measured } from './measured.ts';
import { withResults } from './results.ts';
import { measureMemory } from './memory/memory.ts';
import { measureSandbox } from './sandbox/sandbox.ts';
import { measureTrips } from './trips/trips.ts';
import { measureWidget } from './widget/widget.ts';

interface Bench {
  readonly about: string;
  readonly run: (
    onProgress: (text: string) => void,
    parameters: readonly string[],
  ) => Promise<Measured | readonly Measured[]>;
}

const benches: Readonly<Record<string, Bench>> = {
  client: {
    about: 'CPU and time a call of the gateway client beside raw undici, fetch and stripe-node',
    run: measureClient,
  },
  edge: {
    about:
      'one shop process at twice the load that it can answer, then stopped under it (--seconds N)',
    run: measureEdge,
  },
  engine: {
    about:
      'checkout and confirmation beside shops by hand, stripe-node and Medusa, and claims in large tables (--only fast-gateway, slow-gateway, medusa or claims; --rounds N, --store NAME)',
    run: measureEngine,
  },
  hostile: {
    about:
      'a shopper’s checkout under a flood of forged webhooks at a slow gateway (--seconds N, --rate N, --store NAME)',
    run: measureHostile,
  },
  memory: {
    about:
      'what our process holds after many payments on either store (--payments N, --store NAME)',
    run: measureMemory,
  },
  sandbox: {
    about: 'start, calls a second and memory of the sandbox beside a bare handler and a Prism mock',
    run: measureSandbox,
  },
  trips: {
    about: 'files and functions of our source that one checkout and one webhook to `paid` run',
    run: measureTrips,
  },
  widget: {
    about: 'sizes, click to request and upgrade of the elements beside floors and other buttons',
    run: measureWidget,
  },
};

const readme = fileURLToPath(new URL('../README.md', import.meta.url));

const [name = '', ...parameters] = process.argv.slice(2);
const bench = Object.hasOwn(benches, name) ? benches[name] : undefined;
if (bench) {
  const onProgress = (text: string): void => console.error(`${name}: ${text}`);
  const measured = [await bench.run(onProgress, parameters)].flat();
  for (const { markdown, marks = name } of measured) {
    console.log(markdown);
    writeFileSync(readme, withResults(readFileSync(readme, 'utf8'), marks, markdown));
  }
  await runNode([localBinary('oxfmt', 'oxfmt'), readme], { output: 'capture' });
  process.exitCode = measured.every(({ isWithinBudget }) => isWithinBudget) ? 0 : 1;
} else {
  if (name !== '') {
    console.error(`There is no bench named ${name}.`);
    process.exitCode = 1;
  }
  console.log('npm run bench -- <name>');
  for (const [known, { about }] of Object.entries(benches)) console.log(`  ${known}  ${about}`);
}
