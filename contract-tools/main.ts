/**
 * Tries the documents of the gateway's API and of the sandbox's control API in tools that other
 * people use: Redocly, Spectral, a client that openapi-typescript generates, and Prism, which judges
 * every request and answer between that client and the sandbox, and plays the gateway. Needs a build
 * of the packages.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { type Choice, chooseSteps } from '../scripts/process/choose-steps.ts';
import { freePort } from '../scripts/process/free-port.ts';
import { endedResult, reportStep, type StepResult } from '../scripts/process/report-step.ts';
import { root } from '../scripts/process/root.ts';
import { run, runNode, type Started, startProgram } from '../scripts/process/run.ts';
import { cache, type DocumentName, documents, here, operationsOf } from './documents.ts';
import { Observer } from './observer.ts';

const names = Object.keys(documents) as readonly DocumentName[];
const tool = (path: string): string => join(here, 'node_modules', path);

const steps: readonly (Choice & { readonly work: () => Promise<StepResult> })[] = [
  { name: 'install', about: 'the tools, where they are missing or old', work: install },
  { name: 'redocly', about: 'has no remark about either document', work: lintByRedocly },
  { name: 'spectral', about: 'has no remark about either document', work: lintBySpectral },
  { name: 'client', about: 'is generated, and its calls compile', work: generate },
  {
    name: 'gateway',
    about: 'Prism agrees with every call of the gateway’s API, and every answer was seen',
    work: async () => judge('gateway', (await import('./drive-gateway.ts')).driveGateway),
  },
  {
    name: 'control',
    about: 'the same of the control API',
    work: async () => judge('control', (await import('./drive-control.ts')).driveControl),
  },
  { name: 'mock', about: 'Prism plays a gateway that our own client understands', work: play },
];

const purpose = 'the contract in tools that other people use';
const chosen = chooseSteps('npm run contract-tools', purpose, steps, process.argv.slice(2));
if (chosen.kind === 'run') {
  process.exitCode = (await runSteps(chosen.names)) ? 0 : 1;
} else {
  console.log(chosen.text);
  process.exitCode = chosen.kind === 'help' ? 0 : 1;
}

/** A step stands on those before it, so the first that fails is the last. */
async function runSteps(chosenNames: ReadonlySet<string>): Promise<boolean> {
  mkdirSync(cache, { recursive: true });
  await withSandbox(async ({ url, controlToken }) => {
    const headers = { authorization: `Bearer ${controlToken}` };
    const control = await fetch(`${url}/_sandbox/v1/openapi.yaml`, { headers });
    writeFileSync(documents.control, await control.text());
  });
  for (const { name, about, work } of steps) {
    if (!chosenNames.has(name)) continue;
    const { ok } = await reportStep(`${name}: ${about}`, work);
    if (!ok) return false;
  }
  return true;
}

async function install(): Promise<StepResult> {
  const setup = [join(root, 'scripts/setup.mjs'), '--in=contract-tools'];
  return endedResult(await runNode(setup, { output: 'both' }));
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
  const found = await Promise.all(names.map((name) => lint({ ref: documents[name], config })));
  const remarks = found.flat().map(({ ruleId, message, location: [place] }) => {
    const where = `${place?.source.absoluteRef ?? ''}${place?.pointer ?? ''}`;
    return `${where} ${ruleId}: ${message}`;
  });
  return remarks.length === 0 ? { ok: true } : { ok: false, details: remarks.join('\n') };
}

async function lintBySpectral(): Promise<StepResult> {
  const spectral = [tool('@stoplight/spectral-cli/dist/index.js'), 'lint', '--fail-severity=hint'];
  const rules = `--ruleset=${join(here, '.spectral.yaml')}`;
  const parameters = [...spectral, rules, ...Object.values(documents)];
  return endedResult(await runNode(parameters, { output: 'capture' }));
}

async function generate(): Promise<StepResult> {
  const generator = tool('openapi-typescript/bin/cli.js');
  const made = names.map((name) =>
    runNode([generator, documents[name], `--output=${join(cache, `${name}.d.ts`)}`], {
      output: 'capture',
      cwd: here,
    }),
  );
  const results = (await Promise.all(made)).map(endedResult);
  const failed = results.find(({ ok }) => !ok);
  return failed ?? endedResult(await run('tsc', ['-p', here], { output: 'capture' }));
}

/** Starts Prism on a free port. */
async function startPrism(...parameters: readonly string[]): Promise<Started & { url: string }> {
  const port = String(await freePort());
  const cli = tool('@stoplight/prism-cli/dist/index.js');
  const place = { cwd: here, sign: 'Prism is listening on ' };
  const started = await startProgram([cli, ...parameters, '--port', port], place);
  return { ...started, url: `http://127.0.0.1:${port}` };
}

/**
 * Drives the sandbox through Prism. Every status that the document lists has to be answered, no
 * other may be, and Prism may find no fault with a request or an answer.
 */
async function judge(
  name: DocumentName,
  drive: (proxy: string, sandbox: Sandbox, seen: Observer) => Promise<void>,
): Promise<StepResult> {
  const seen = new Observer();
  await withSandbox(async (sandbox) => {
    const upstream = { gateway: sandbox.baseUrl, control: `${sandbox.url}/_sandbox/v1` }[name];
    const prism = await startPrism('proxy', documents[name], upstream);
    try {
      await drive(prism.url, sandbox, seen);
    } finally {
      await prism.stop();
    }
  });
  const operations = operationsOf(name);
  const listed = new Set(
    operations.flatMap(({ method, path, statuses }) =>
      statuses.map((status) => `${method} ${path} ${status}`),
    ),
  );
  const faults = [
    ...seen.violations,
    ...[...seen.answered.difference(listed)].map((one) => `${one} is not in the document`),
    ...[...listed.difference(seen.answered)].map((one) => `${one} was not answered`),
  ];
  if (faults.length > 0) return { ok: false, details: faults.join('\n') };
  return { ok: true, remark: `${operations.length} operations, ${listed.size} answers` };
}

async function play(): Promise<StepResult> {
  // Prism plays the paths alone, and a base address ends in /v1.
  const document = join(cache, 'mock.openapi.yaml');
  const text = readFileSync(documents.gateway, 'utf8');
  writeFileSync(document, text.replaceAll(/^ {2}(?=\/.*:$)/gm, '  /v1'));
  const prism = await startPrism('mock', document);
  try {
    const { askMock } = await import('./ask-mock.ts');
    return { ok: true, remark: `${await askMock(`${prism.url}/v1`)} methods` };
  } finally {
    await prism.stop();
  }
}
