import { ConfigurationError } from '../errors.ts';
import { GatewayError } from '../gateway/gateway-error.ts';
import { createGatewayClient, type GatewayClient } from '../gateway/gateway-client.ts';
import type { SealedBody } from '../gateway/gateway-error.ts';
import type { Webhook } from '../gateway/webhooks.ts';
import { type Command, type ExitCode, type Invocation, textOf, UsageError } from './command.ts';
import { isConfirmed, yesOption } from './confirmation.ts';
import {
  gatewaySettings,
  readShopSettings,
  requireSettings,
  routeAddress,
  type ShopSettings,
} from './shop-settings.ts';
import { plain } from '../html-text.ts';
import { table, type Terminal } from './terminal.ts';

const NAME = 'webhook';

/** `pay-button webhook list | create | delete ID` */
export const webhook: Command = {
  options: { url: 'text', events: 'text', inactive: 'flag', mount: 'text', ...yesOption },
  async run(invocation) {
    const act = actionOf(invocation);
    const settings = readShopSettings(invocation, NAME);
    requireSettings(settings, [
      ...gatewaySettings,
      'GATEWAY_PORTAL_USERNAME',
      'GATEWAY_PORTAL_PASSWORD',
    ]);
    if (settings.options.gateway.portal === undefined) throw noPortal();
    const gateway = createGatewayClient(settings.options.gateway);
    try {
      return await act(gateway, settings);
    } finally {
      await gateway.close();
    }
  },
};

type Action = (gateway: GatewayClient, settings: ShopSettings) => Promise<ExitCode>;

function actionOf(invocation: Invocation): Action {
  const [what, id, ...others] = invocation.words;
  if (what === 'list' && id === undefined) return (gateway) => list(invocation, gateway);
  if (what === 'create' && id === undefined) {
    return (gateway, settings) => create(invocation, gateway, settings);
  }
  if (what === 'delete' && id !== undefined && others.length === 0) {
    return (gateway) => remove(invocation, gateway, id);
  }
  throw new UsageError('Say list, create or delete ID.', NAME);
}

async function list({ terminal, values }: Invocation, gateway: GatewayClient): Promise<ExitCode> {
  const { webhooks } = await gateway.listWebhooks();
  if (values['json'] === true) terminal.json(webhooks);
  else if (webhooks.length === 0)
    terminal.line('There is no webhook: npx pay-button webhook create');
  else writeTable(terminal, webhooks);
  return 0;
}

function writeTable(terminal: Terminal, webhooks: readonly Webhook[]): void {
  const rows = webhooks.map(({ id, url, active, events }) => [
    plain(id) || '–',
    active === undefined ? '–' : active ? terminal.paint('green', 'yes') : 'no',
    plain(url),
    plain(events?.join(', ') ?? '–'),
  ]);
  const [head = '', ...lines] = table([['id', 'active', 'address', 'events'], ...rows]);
  terminal.line(terminal.paint('dim', head));
  for (const line of lines) terminal.line(line);
}

async function create(
  { terminal, values }: Invocation,
  gateway: GatewayClient,
  settings: ShopSettings,
): Promise<ExitCode> {
  const url = textOf(values, 'url') ?? ownAddress(settings);
  const events =
    textOf(values, 'events')
      ?.split(',')
      .map((one) => one.trim()) ?? [];
  const { webhooks } = await gateway.listWebhooks();
  const isJson = values['json'] === true;
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
  if (isJson) {
    const answer = created.secret === null ? created.body?.read() : undefined;
    terminal.json({ ...created, answer });
    return 0;
  }
  const what = events.length === 0 ? 'all events' : events.join(', ');
  const mark = terminal.paint('green', '✓');
  terminal.line(`${mark} Created ${plain(created.id)}, for ${what}: ${url}`);
  if (created.secret === null) {
    writeAnswer(terminal, created.body);
    return 0;
  }
  terminal.line();
  terminal.line(
    'Its secret is given only once. Keep it with your settings, so that the shop takes',
  );
  terminal.line('signed webhooks only:');
  terminal.line();
  terminal.line(`  ${terminal.paint('bold', `GATEWAY_WEBHOOK_SECRET=${created.secret}`)}`);
  return 0;
}

/** An answer in another form than this kit reads may hold the secret under another name. */
function writeAnswer(terminal: Terminal, body: SealedBody | undefined): void {
  if (body === undefined) return;
  terminal.error('The answer names no secret in the usual place. It is given only once, and is:');
  terminal.error(plain(body.read() ?? ''));
}

/** Where the shop takes webhooks. */
function ownAddress(settings: ShopSettings): string {
  requireSettings(settings, ['PUBLIC_URL']);
  const address = routeAddress(settings, 'webhook');
  if (address === null) {
    throw new UsageError('The shop’s routes leave webhooks out: say --url, or mend routes.', NAME);
  }
  return address;
}

async function remove(
  invocation: Invocation,
  gateway: GatewayClient,
  id: string,
): Promise<ExitCode> {
  const { terminal, values } = invocation;
  const question = `Delete the webhook ${id}? The gateway then tells the shop nothing by it.`;
  if (!(await isConfirmed(invocation, question, NAME))) return 1;
  await gateway.deleteWebhook({ id });
  if (values['json'] === true) terminal.json({ deleted: id });
  else terminal.line(`${terminal.paint('green', '✓')} Deleted: ${id}`);
  return 0;
}

const noPortal = (): ConfigurationError =>
  new ConfigurationError('missing_setting', {
    setting: 'GATEWAY_PORTAL_USERNAME',
    what: 'The environment variables GATEWAY_PORTAL_USERNAME and GATEWAY_PORTAL_PASSWORD are not set.',
    why: 'Webhooks are kept in the gateway’s portal, which the API key does not open.',
    fix: 'Set them to the login of the dashboard.',
  });
