#!/usr/bin/env node
import { parseArgs } from 'node:util';
import { packageVersion } from './package-files.ts';
import { policies, policyNames } from './readings/readings.ts';
import { SandboxError } from './sandbox-error.ts';
import { startSandbox, type Sandbox } from './start-sandbox.ts';

const help = `pay-gateway-sandbox: a stand-in for the payment gateway. It moves no money.

Usage: pay-gateway-sandbox [options]

  --port <number>   port; 0 picks a free one (default 4010)
  --host <address>  address to bind (default 127.0.0.1); wider than loopback, the
                    control API and the inspector ask for a token, printed at start
  --public-url <address>
                    what others call the sandbox, such as http://sandbox:4010
                    (others reach it by that name, so the same token is asked for)
  --seed <text>     ids and keys follow from it, so runs can be repeated
                    (default: on loopback the keys of "demo", else random ones;
                    fresh ids at every start)
  --merchant <name> the shop's name on the payment pages (default "Test shop")
  --data <folder>   keep everything in a journal in this folder, across restarts
                    (default: keep it in memory)
  --policy <names>  readings of the specification, separated by commas; see below
  --profile <file>  behave as the gateway of this profile does, a JSON file of the
                    form of contract/gateway-profile.schema.json
  --allow-remote-webhooks
                    deliver webhooks to addresses beyond this machine too
  --i-know          start although NODE_ENV is production
  --json            print the ready line as JSON and nothing else
  --version         show the version
  --help            show this text

Policies, each another reading than the usual one:

${policyNames.map((name) => `  ${name.padEnd(24)}${policies[name]}`).join('\n')}

When ready it prints one line: "ready" and its addresses and test keys as JSON.
`;

const usageError = 2;

await main().catch((error: unknown) => {
  console.error(explain(error));
  process.exitCode = isUsageError(error) ? usageError : 1;
});

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      port: { type: 'string' },
      host: { type: 'string' },
      'public-url': { type: 'string' },
      seed: { type: 'string' },
      merchant: { type: 'string' },
      data: { type: 'string' },
      policy: { type: 'string' },
      profile: { type: 'string' },
      'allow-remote-webhooks': { type: 'boolean' },
      'i-know': { type: 'boolean' },
      json: { type: 'boolean' },
      version: { type: 'boolean' },
      help: { type: 'boolean', short: 'h' },
    },
  });
  if (values.help === true) return console.log(help);
  if (values.version === true) return console.log(packageVersion());
  const sandbox = await startSandbox({
    host: values.host,
    publicUrl: values['public-url'],
    port: values.port === undefined ? undefined : readPort(values.port),
    seed: values.seed,
    merchant: values.merchant,
    data: values.data,
    policy: values.policy?.split(',').filter((name) => name !== ''),
    profile: values.profile,
    allowRemoteWebhooks: values['allow-remote-webhooks'] === true,
    allowProduction: values['i-know'] === true,
  });
  endOnSignal(sandbox);
  const line = readyLine(sandbox);
  console.log(values.json === true ? line : `ready ${line}`);
}

/** Everything that a merchant needs to point an integration here. */
function readyLine(sandbox: Sandbox): string {
  const { url, baseUrl, apiKey, productionBaseUrl, productionApiKey, portal } = sandbox;
  const inspector = `${url}/_sandbox`;
  const known = { url, inspector, baseUrl, apiKey, productionBaseUrl, productionApiKey, portal };
  return JSON.stringify({ ...known, controlToken: sandbox.controlToken ?? undefined });
}

function endOnSignal(sandbox: Sandbox): void {
  const end = () => {
    sandbox.close().catch((error: unknown) => {
      console.error(explain(error));
      process.exitCode = 1;
    });
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}

function readPort(text: string): number {
  return /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN;
}

function explain(error: unknown): string {
  if (error instanceof SandboxError) return `pay-gateway-sandbox: ${error.message}`;
  const message = error instanceof Error ? error.message : String(error);
  return `pay-gateway-sandbox: ${message}\nTry --help.`;
}

function isUsageError(error: unknown): boolean {
  if (error instanceof SandboxError) {
    return error.code === 'invalid_option' || error.code === 'invalid_profile';
  }
  return error instanceof TypeError && 'code' in error;
}
