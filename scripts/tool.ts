/** `npm run tool -- <name>` runs what people seldom need; without a name it lists what there is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { installIn, root, runNode, troubleOf } from './process.ts';

interface Tool {
  readonly about: string;
  /** A script of ours, or programs that packages bring, which run one after the other. */
  readonly does: string | readonly string[];
  /** A folder with packages of its own that it needs. */
  readonly needs?: string;
  /** Whether it takes the packages as they are built. */
  readonly built?: true;
}

const helper = 'packages/server-helper/src';
const stryker = 'scripts/mutate/node_modules/@stryker-mutator/core/bin/stryker.js';

const tools: Readonly<Record<string, Tool>> = {
  torture: {
    about: 'kills a shop of four processes, and asks what was lost or doubled',
    does: 'scripts/torture.ts',
  },
  'torture-sandbox': {
    about: 'the same of a sandbox that keeps its state in files',
    does: 'packages/gateway-sandbox/src/testing/torture.ts',
  },
  simulate: {
    about: 'plays histories of a shop in virtual time, and holds every rule against each',
    does: 'scripts/simulate.ts',
  },
  readings: {
    about: 'plays every journey of an order under every reading of the specification',
    does: 'scripts/readings.ts',
  },
  examples: {
    about: 'installs examples/ from our tarballs and pays in each; words choose among them',
    does: 'scripts/examples.ts',
    built: true,
  },
  'first-days': {
    about: 'does what the documents say, by the letter, with our tarballs as published packages',
    does: 'scripts/first-days.ts',
    built: true,
  },
  'contract-tools': {
    about: 'tries the contract in Redocly, generated clients and Prism',
    does: 'contract-tools/main.ts',
    built: true,
  },
  fidelity: {
    about: 'writes what is made of the contract and the readings',
    does: 'contract/fidelity/write-fidelity.ts',
  },
  debian: {
    about: 'the tests that need programs of Debian’s packages, which it installs',
    does: ['node scripts/test.ts --suite=debian'],
  },
  mutate: {
    about: 'changes the pure parts in every small way, and asks the tests to notice',
    does: [`node ${stryker} run scripts/mutate/stryker.json`],
    needs: 'scripts/mutate',
  },
  'cover-decisions': {
    about: 'shows that every branch of the decisions about money is tested',
    does: [
      `env TEST_SUITE=quick vitest run --project=server-helper --reporter=dot --silent=true ${helper}/payments ${helper}/flows --coverage.enabled=true --coverage.provider=v8 --coverage.reporter=text --coverage.thresholds.100=true --coverage.include=${helper}/payments/{judge,transition,money-decision,new-money,operation-outcome}.ts`,
    ],
  },
  pictures: {
    about: 'takes the pictures of the documents anew',
    does: [
      'env UPDATE_SCREENSHOTS=1 playwright test -c e2e/playwright.config.ts walk-through arabic',
      'env UPDATE_SCREENSHOTS=1 vitest run --project widget-node playground',
    ],
    built: true,
  },
  playground: {
    about: 'serves the elements with all their attributes, states and a theme editor',
    does: ['vite packages/widget/playground'],
  },
  'docs:build': {
    about: 'writes the documents as a site into site/dist, and checks it',
    does: ['npm --prefix site run build', 'node scripts/site/check-site.ts'],
    needs: 'site',
  },
  sbom: {
    about: 'writes the list of parts of each package into sbom/',
    does: 'scripts/sbom.ts',
    built: true,
  },
  address: {
    about: 'writes the repository’s address to where the manifest at the top is not read',
    does: 'scripts/write-address.ts',
  },
};

const [, , name = '', ...parameters] = process.argv;
const tool = tools[name];
if (tool === undefined) {
  const width = Math.max(...Object.keys(tools).map((one) => one.length));
  console.log('npm run tool -- <name>');
  for (const [one, { about }] of Object.entries(tools)) {
    console.log(`  ${one.padEnd(width)}  ${about}`);
  }
  process.exitCode = name === '' || name === '--help' ? 0 : 2;
} else {
  if (tool.needs !== undefined) await installIn(tool.needs);
  const build = join(root, 'scripts/build.ts');
  const trouble = tool.built && troubleOf(await runNode([build], { output: 'both' }));
  if (trouble === undefined) await start(tool.does);
  else process.exitCode = 1;
}

/** A script reads the parameters that follow the tool's name; the last of several programs gets them. */
async function start(does: Tool['does']): Promise<void> {
  if (typeof does === 'string') {
    process.argv.splice(1, 2, join(root, does));
    await import(join(root, does));
    return;
  }
  for (const [index, command] of does.entries()) {
    const [program = '', ...own] = command.split(' ');
    const given = index === does.length - 1 ? parameters : [];
    const child = spawn(program, [...own, ...given], { cwd: root, stdio: 'inherit' });
    // A Ctrl-C of the terminal reaches the program too; this process waits for its end.
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => child.kill(signal));
    const [code] = (await once(child, 'exit')) as [number | null];
    process.exitCode = code ?? 1;
    if (code !== 0) return;
  }
}
