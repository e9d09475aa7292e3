import { ConfigurationError } from '../errors.ts';
import {
  createGatewayClient,
  type GatewayClient,
  GatewayError,
  type SealedBody,
} from '../index.ts';
import { plain } from '../text.ts';
import {
  type Command,
  done,
  type ExitCode,
  type Invocation,
  isConfirmed,
  textOf,
  UsageError,
} from './command.ts';
import {
  gatewaySettings,
  readShopSettings,
  requireSettings,
  routeAddress,
  type ShopSettings,
} from './shop.ts';
import type { Terminal } from './terminal.ts';

export const webhook: Command = async (invocation) => {
  const [what, id, ...others] = invocation.words;
  const isAsked = id === undefined ? what === 'list' || what === 'create' : what === 'delete';
  if (!isAsked || others.length > 0) throw new UsageError('Say list, create or delete ID.');
  const settings = readShopSettings(invocation);
  const portal = ['GATEWAY_PORTAL_USERNAME', 'GATEWAY_PORTAL_PASSWORD'];
  requireSettings(settings, [...gatewaySettings, ...portal]);
  if (settings.options.gateway.portal === undefined) {
    throw new ConfigurationError('missing_setting', {
      setting: 'GATEWAY_PORTAL_USERNAME',
      what: 'The environment variables GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD are not set.',
      why: 'Webhooks are kept in the gateway’s portal, which the API key does not open.',
      fix: 'Set them to the login of the dashboard.',
    });
  }
  const gateway = createGatewayClient(settings.options.gateway);
  try {
    if (what === 'list') return await list(invocation, gateway);
    if (id === undefined) return await create(invocation, gateway, settings);
    const question = `Delete the webhook ${id}? The gateway then tells the shop nothing by it.`;
    if (!(await isConfirmed(invocation, question))) return 1;
    await gateway.deleteWebhook({ id });
    return done(invocation, `Deleted: ${id}`, { deleted: id });
  } finally {
    await gateway.close();
  }
};

async function list({ terminal, isJson }: Invocation, gateway: GatewayClient): Promise<ExitCode> {
  const { webhooks } = await gateway.listWebhooks();
  if (isJson) terminal.json(webhooks);
  else if (webhooks.length === 0) {
    terminal.line('There is no webhook: npx pay-button webhook create');
  } else {
    const rows = webhooks.map(({ id, url, active, events }) => [
      plain(id) || '–',
      active === undefined ? '–' : active ? terminal.paint('green', 'yes') : 'no',
      plain(url),
      plain(events?.join(', ') ?? '–'),
    ]);
    terminal.table(['id', 'active', 'address', 'events'], rows);
  }
  return 0;
}

async function create(invocation: Invocation, gateway: GatewayClient, settings: ShopSettings) {
  const { terminal, values, isJson } = invocation;
  const given = textOf(values, 'url');
  if (given === undefined) requireSettings(settings, ['PUBLIC_URL']);
  const url = given ?? routeAddress(settings, 'webhook');
  if (url === null) {
    throw new UsageError('The shop’s routes leave webhooks out: say --url, or mend routes.');
  }
  const events =
    textOf(values, 'events')
      ?.split(',')
      .map((one) => one.trim()) ?? [];
  const { webhooks } = await gateway.listWebhooks();
  const same = webhooks.find((one) => one.url === url);
  if (same !== undefined) {
    if (isJson) terminal.json(same);
    terminal.error(
      `There is a webhook to ${url} already: ${plain(same.id)}. The gateway gives its secret only when it is made; to have a new one, delete it first.`,
    );
    return 1;
  }
  const active = values['inactive'] !== true;
  const created = await gateway.createWebhook({ url, events, active }).catch((error: unknown) => {
    if (error instanceof GatewayError) writeAnswer(terminal, error.body);
    throw error;
  });
  const what = events.length === 0 ? 'all events' : events.join(', ');
  const answer = isJson && created.secret === null ? created.body?.read() : undefined;
  done(invocation, `Created ${plain(created.id)}, for ${what}: ${url}`, { ...created, answer });
  if (isJson) return 0;
  if (created.secret === null) {
    writeAnswer(terminal, created.body);
    return 0;
  }
  terminal.line('\nIts secret is given only once. Keep it with your settings, so that the shop');
  terminal.line('takes signed webhooks only:\n');
  terminal.line(`  ${terminal.paint('bold', `GATEWAY_WEBHOOK_SECRET=${created.secret}`)}`);
  return 0;
}

/** An answer in another form than this kit reads may hold the secret under another name. */
function writeAnswer(terminal: Terminal, body: SealedBody | undefined): void {
  if (body === undefined) return;
  terminal.error('The answer names no secret in the usual place. It is given only once, and is:');
  terminal.error(plain(body.read() ?? ''));
}
