/**
 * Tries the documents of the gateway's API and of the sandbox's control API in tools that other
 * people use: Redocly, clients that openapi-typescript generates, and Prism, which plays the gateway
 * from its document alone. Needs a build of the packages.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startSandbox, type Sandbox } from '@pay-button/gateway-sandbox';
import { freePort, installIn, root, startProgram, succeed } from '../scripts/process.ts';
import { judgeFindings, reportStep } from '../scripts/steps.ts';

const here = join(root, 'contract-tools');
const cache = join(here, '.cache');

/** The two documents: the gateway's, and that which the sandbox answers about its control API. */
const documents = {
  gateway: join(root, 'contract/gateway.openapi.yaml'),
  control: join(cache, 'control.openapi.yaml'),
};

const tool = (path: string): string => join(here, 'node_modules', path);

const steps = {
  'redocly: has no remark about either document': lintByRedocly,
  'client: is generated, and its calls compile': generate,
  'journey: of both clients ends in a refund at the sandbox': travel,
  'mock: Prism plays a gateway that our own client understands': play,
};

await installIn('contract-tools');
await writeControlDocument();
// A step stands on those before it.
for (const [name, work] of Object.entries(steps)) {
  if (await reportStep(name, work)) continue;
  process.exitCode = 1;
  break;
}

async function writeControlDocument(): Promise<void> {
  mkdirSync(cache, { recursive: true });
  await withSandbox(async ({ url, controlToken }) => {
    const headers = { authorization: `Bearer ${controlToken}` };
    const control = await fetch(`${url}/_sandbox/v1/openapi.yaml`, { headers });
    writeFileSync(documents.control, await control.text());
  });
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

async function lintByRedocly(): Promise<string> {
  // It is there once it is installed.
  const { createConfig, lint } = await import('@redocly/openapi-core');
  const config = await createConfig({ extends: ['spec', 'recommended-strict'] });
  const linted = Object.values(documents).map((ref) => lint({ ref, config }));
  const remarks = (await Promise.all(linted))
    .flat()
    .map(({ ruleId, message, location: [place] }) => {
      const where = `${place?.source.absoluteRef ?? ''}${place?.pointer ?? ''}`;
      return `${where} ${ruleId}: ${message}`;
    });
  return judgeFindings(remarks, `${linted.length} documents`);
}

async function generate(): Promise<void> {
  const generator = tool('openapi-typescript/bin/cli.js');
  for (const [name, document] of Object.entries(documents)) {
    const output = `--output=${join(cache, `${name}.d.ts`)}`;
    await succeed(process.execPath, [generator, document, output], { cwd: here });
  }
  await succeed('tsc', ['-p', here]);
}

async function travel(): Promise<void> {
  const { refundByGeneratedClients } = await import('./generated-clients.ts');
  await withSandbox(refundByGeneratedClients);
}

async function play(): Promise<void> {
  // Prism plays the paths alone, and a base address ends in /v1.
  const document = join(cache, 'mock.openapi.yaml');
  const text = readFileSync(documents.gateway, 'utf8');
  writeFileSync(document, text.replaceAll(/^ {2}(?=\/.*:$)/gm, '  /v1'));
  const port = String(await freePort());
  const parameters = [tool('@stoplight/prism-cli/dist/index.js'), 'mock', document, '--port', port];
  const prism = await startProgram(parameters, { cwd: here, sign: /Prism is listening on / });
  try {
    const { askMock } = await import('./ask-mock.ts');
    await askMock(`http://127.0.0.1:${port}/v1`);
  } finally {
    await prism.stop();
  }
}
