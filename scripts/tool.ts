/** `npm run tool -- <name>` runs what people seldom need; without a name it lists what there is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { root } from './process.ts';

interface Tool {
  readonly about: string;
  /** Programs that run one after the other; the last gets what follows. @defaultValue our script of this name */
  readonly does?: readonly string[];
  readonly script?: string;
  /** A folder with packages of its own that it needs. */
  readonly needs?: string;
  /** Whether it takes the packages as they are built. */
  readonly built?: true;
}

const helper = 'packages/server-helper/src';
const stryker = 'scripts/mutate/node_modules/@stryker-mutator/core/bin/stryker.js';

const tools: Readonly<Record<string, Tool>> = {
  torture: { about: 'kills a shop of four processes, and asks what was lost or doubled' },
  'torture-sandbox': {
    about: 'the same of a sandbox that keeps its state in files',
    script: 'packages/gateway-sandbox/src/testing/torture.ts',
  },
  simulate: { about: 'plays histories of a shop in virtual time, each under every rule' },
  examples: {
    about: 'installs examples/ from our tarballs and pays in each; words choose among them',
    built: true,
  },
  'first-days': {
    about: 'does what the documents say, by the letter, with our tarballs as published packages',
    built: true,
  },
  'contract-tools': {
    about: 'tries the contract in Redocly, generated clients and Prism',
    script: 'contract-tools/main.ts',
    built: true,
  },
  fidelity: {
    about: 'writes what is made of the contract and the readings',
    script: 'contract/fidelity/write-fidelity.ts',
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
  sbom: { about: 'writes the list of parts of each package into sbom/', built: true },
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
  const { needs, built, does = [] } = tool;
  const ready = [
    ...(needs === undefined ? [] : [`node scripts/setup.mjs --in=${needs}`]),
    ...(built ? ['node scripts/build.ts'] : []),
  ];
  let isWell = true;
  for (const command of [...ready, ...does]) {
    isWell &&= await endsWell(command, command === does.at(-1) ? parameters : []);
  }
  if (isWell && tool.does === undefined) {
    const script = join(root, tool.script ?? `scripts/${name}.ts`);
    process.argv.splice(1, 2, script);
    await import(script);
  }
}

/** Runs a program, which shows its own words. @returns whether it ends well; its code is ours too. */
async function endsWell(command: string, more: readonly string[]): Promise<boolean> {
  const [program = '', ...own] = command.split(' ');
  const child = spawn(program, [...own, ...more], { cwd: root, stdio: 'inherit' });
  // A Ctrl-C of the terminal reaches the program too; this process waits for its end.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  const [code] = (await once(child, 'exit')) as [number | null];
  process.exitCode = code ?? 1;
  return code === 0;
}
