import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createControlClient, type ControlClient } from './control/client.ts';
import type { TenantInfo } from './control/shapes.ts';
import { defaultTenant } from './domain/tenant.ts';
import { Faults } from './faults.ts';
import { createRequestListener, listen, stop } from './http/server.ts';
import { Journal, journalHeader, Machine } from './machine.ts';
import { readProfile } from './readings/read-profile.ts';
import { Recent, RequestLog } from './request-log.ts';
import { Tenants } from './tenants.ts';
import { isLoopback, defaultSeed, resolveOptions } from './options.ts';
import type { SandboxOptions, SandboxSettings } from './options.ts';
import { packageVersion } from './package-files.ts';
import type { Profile } from './readings/readings.ts';
import { SandboxError } from './sandbox-error.ts';
import { WebhookDispatcher } from './webhooks/dispatcher.ts';

/** How many steps of each tenant's shoppers the inspector can look back on. */
const rememberedVisits = 300;

/** A running sandbox. */
export interface Sandbox extends Omit<TenantInfo, 'id' | 'merchant'> {
  /** The port that it listens on. */
  readonly port: number;
  /** The token of the control API where others can reach the sandbox; else null. */
  readonly controlToken: string | null;
  /** The control API, typed. */
  readonly control: ControlClient;
  /** Lets requests in flight end, then frees the port and the data folder; once more does nothing. */
  readonly close: () => Promise<void>;
}

/**
 * Starts a stand-in for the gateway on this machine.
 *
 * @throws SandboxError `invalid_option`, `invalid_profile`, `production_refused`, `port_busy`, `host_unavailable`,
 *   `seed_mismatch`, `data_in_use`, `data_unwritable`, `journal_damaged`
 * @example
 * ```ts
 * const sandbox = await startSandbox({ port: 0 });
 * // … point GATEWAY_BASE_URL at sandbox.baseUrl and GATEWAY_API_KEY at sandbox.apiKey
 * await sandbox.close();
 * ```
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const settings = resolveOptions(options, process.env['NODE_ENV']);
  const profile = await readProfile(settings.profile);
  const restored = openJournal(settings);
  try {
    return await serve(settings, profile, restored);
  } catch (error) {
    restored.journal?.close();
    throw error;
  }
}

async function serve(
  settings: SandboxSettings,
  profile: Profile,
  { journal, header: { seed, idSeed }, entries }: Restored,
): Promise<Sandbox> {
  const machine = new Machine({ idSeed, clock: settings.clock, journal }, entries);
  const tenants = new Tenants(machine, seed);
  liftProfiles(machine);
  const server = createServer();
  const closing = new AbortController();
  const token = settings.controlToken;
  const address = { port: 0, url: '', ownUrl: '' };
  const shared = {
    machine,
    tenants,
    faults: new Faults(),
    policy: new Set(settings.policy),
    profile,
  };
  const dispatcher = new WebhookDispatcher({
    ...shared,
    ownPort: () => address.port,
    isPrivate: isLoopback(settings.host),
    allowsRemote: settings.allowRemoteWebhooks,
    timeoutMs: settings.webhookTimeoutMs,
  });
  const entrance = createRequestListener(
    {
      ...shared,
      dispatcher,
      requestLog: new RequestLog(),
      visits: new Recent(rememberedVisits),
      merchant: settings.merchant,
      seed,
      version: packageVersion(),
      publicUrl: () => address.url,
      ownUrl: () => address.ownUrl,
      closing: closing.signal,
    },
    { port: () => address.port, host: settings.host, publicUrl: settings.publicUrl },
    token,
  );
  server.on('request', entrance);
  address.port = await listen(server, settings);
  address.ownUrl = `http://${ownHostName(settings.host)}:${address.port}`;
  address.url = settings.publicUrl ?? address.ownUrl;
  dispatcher.resume();
  return {
    port: address.port,
    ...tenants.access(defaultTenant, address.url),
    controlToken: token,
    control: createControlClient(address.ownUrl, token === null ? {} : { token }),
    close: async () => {
      closing.abort();
      await stop(server);
      await dispatcher.close();
      machine.close();
    },
  };
}

/** A name by which this process reaches what it listens on. */
function ownHostName(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/** What a sandbox begins with; without a journal, nothing happened before. */
type Restored = Omit<ReturnType<typeof Journal.open>, 'journal'> & {
  readonly journal: Journal | null;
};

/** Faults end with the process, and so does the outcome that a profile had decided. */
function liftProfiles(machine: Machine): void {
  for (const tenant of machine.tenantIds()) {
    if (machine.tenant(tenant).profileOutcome === null) continue;
    machine.execute({ kind: 'set-profile-outcome', tenant, outcome: null });
  }
}

function openJournal({ data, isPrivate, seed }: SandboxSettings): Restored {
  // Without a seed of its own, a sandbox never repeats an id. The keys are well known on loopback,
  // where a shop's configuration may hold them, and random where others reach the sandbox.
  const keySeed = seed ?? (isPrivate ? defaultSeed : randomUUID());
  const fresh = journalHeader(keySeed, seed ?? randomUUID());
  if (data === null) return { journal: null, header: fresh, entries: [] };
  const { journal, header, entries } = Journal.open(data, fresh);
  const isOfAnother = seed !== null && header.idSeed !== seed;
  const isWellKnown = seed === null && header.seed === defaultSeed && !isPrivate;
  if (!isOfAnother && !isWellKnown) return { journal, header, entries };
  journal.close();
  const message = isOfAnother
    ? `The journal in ${data} was begun with another seed. Start with that seed, or with another data folder.`
    : `The journal in ${data} was begun on loopback, so its keys are well known, and others could use them. Start with another data folder, or with a host and a public URL on loopback.`;
  throw new SandboxError('seed_mismatch', message);
}
