/**
 * Tries the documents of the gateway's API and of the sandbox's control API in tools that other
 * people use: Redocly, clients that openapi-typescript generates, and Prism, which plays the gateway
 * from its document alone. Needs a build of the packages.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { freePort, installIn, root, run, runNode, startProgram } from '../scripts/process.ts';
import { chooseSteps, endedResult, reportStep, type StepResult } from '../scripts/steps.ts';

const here = join(root, 'contract-tools');
const cache = join(here, '.cache');

/** The two documents: the gateway's, and that which the sandbox answers about its control API. */
const documents = {
  gateway: join(root, 'contract/gateway.openapi.yaml'),
  control: join(cache, 'control.openapi.yaml'),
};

const tool = (path: string): string => join(here, 'node_modules', path);

const steps = [
  { name: 'install', about: 'the tools, where they are missing or old', work: install },
  { name: 'redocly', about: 'has no remark about either document', work: lintByRedocly },
  { name: 'client', about: 'is generated, and its calls compile', work: generate },
  { name: 'journey', about: 'of both clients ends in a refund at the sandbox', work: travel },
  { name: 'mock', about: 'Prism plays a gateway that our own client understands', work: play },
] as const;

const purpose = 'the contract in tools that other people use';
const chosen = chooseSteps('npm run tool -- contract-tools', purpose, steps, process.argv.slice(2));
if (chosen.kind === 'run') {
  await writeControlDocument();
  // A step stands on those before it.
  for (const { name, about, work } of steps.filter((one) => chosen.names.has(one.name))) {
    if ((await reportStep(`${name}: ${about}`, work)).ok) continue;
    process.exitCode = 1;
    break;
  }
} else {
  console.log(chosen.text);
  process.exitCode = chosen.kind === 'help' ? 0 : 1;
}

async function writeControlDocument(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  await withSandbox(async ({ url, controlToken }) => {
    const headers = { authorization: `Bearer ${controlToken}` };
    const control = await fetch(`${url}/_sandbox/v1/openapi.yaml`, { headers });
    writeFileSync(documents.control, await control.text());
  });
}

async function install(): Promise<StepResult> {
  await installIn('contract-tools');
  return { ok: true };
}

/** A sandbox that asks for the token of its control API. */
async function withSandbox(work: (sandbox: Sandbox) => Promise<void>): Promise<void> {
  const sandbox = await startSandbox({ port: 0, controlToken: 'token-of-contract-tools' });
  try {
    await work(sandbox);
  } finally {
    await sandbox.close();
  }
}

async function lintByRedocly(): Promise<StepResult> {
  // It is there once the first step has installed it.
  const { createConfig, lint } = await import('@redocly/openapi-core');
  const config = await createConfig({ extends: ['spec', 'recommended-strict'] });
  const linted = Object.values(documents).map((ref) => lint({ ref, config }));
  const remarks = (await Promise.all(linted))
    .flat()
    .map(({ ruleId, message, location: [place] }) => {
      const where = `${place?.source.absoluteRef ?? ''}${place?.pointer ?? ''}`;
      return `${where} ${ruleId}: ${message}`;
    });
  return remarks.length === 0 ? { ok: true } : { ok: false, details: remarks.join('\n') };
}

async function generate(): Promise<StepResult> {
  const generator = tool('openapi-typescript/bin/cli.js');
  for (const [name, document] of Object.entries(documents)) {
    const output = `--output=${join(cache, `${name}.d.ts`)}`;
    const made = await runNode([generator, document, output], { output: 'capture', cwd: here });
    if (made.code !== 0) return endedResult(made);
  }
  return endedResult(await run('tsc', ['-p', here], { output: 'capture' }));
}

async function travel(): Promise<StepResult> {
  const { refundByGeneratedClients } = await import('./generated-clients.ts');
  await withSandbox(refundByGeneratedClients);
  return { ok: true };
}

async function play(): Promise<StepResult> {
  // Prism plays the paths alone, and a base address ends in /v1.
  const document = join(cache, 'mock.openapi.yaml');
  const text = readFileSync(documents.gateway, 'utf8');
  writeFileSync(document, text.replaceAll(/^ {2}(?=\/.*:$)/gm, '  /v1'));
  const port = String(await freePort());
  const parameters = [tool('@stoplight/prism-cli/dist/index.js'), 'mock', document, '--port', port];
  const prism = await startProgram(parameters, { cwd: here, sign: 'Prism is listening on ' });
  try {
    const { askMock } = await import('./ask-mock.ts');
    await askMock(`http://127.0.0.1:${port}/v1`);
    return { ok: true };
  } finally {
    await prism.stop();
  }
}
