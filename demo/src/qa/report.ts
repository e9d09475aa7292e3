import { createRequire } from 'node:module';
import { describeEntry } from '@pay-button/server-helper';
import type { Request } from 'express';
import { findOwnOrder, type Shop } from '../shop/orders.ts';
import { bugOf } from './bugs.ts';
import type { TestConsole } from './console.ts';
import { orderOfPath } from './pages.ts';

/** What a report is written from. */
interface ReportParts extends Pick<Shop, 'database' | 'payments'> {
  readonly testConsole: TestConsole;
}

const require = createRequire(import.meta.url);
const packages = ['widget', 'server-helper', 'gateway-sandbox'] as const;

/**
 * Everything that a developer asks for first, as text to paste into an issue. It holds no customer's
 * data, no card and no key; of an order only what its own shopper may see.
 */
export async function bugReport(parts: ReportParts, request: Request): Promise<string> {
  const { page } = request.query;
  const path = typeof page === 'string' && page.startsWith('/') ? page.slice(0, 200) : '/';
  const { sandbox } = parts.testConsole;
  const facts = [
    ['Page', path],
    ['Browser', (request.get('User-Agent') ?? '').slice(0, 200)],
    ['Language', (request.get('Accept-Language') ?? '').slice(0, 100)],
    ['Versions', packages.map((name) => `${name} ${versionOf(name)}`).join(', ')],
    ['Sandbox clock', sandbox.now],
    ['Faults', sandbox.profile],
    ['Bug switch', bugOf(request) ?? 'none'],
  ];
  const head = facts.map(([name, fact]) => `- ${name}: ${fact}`).join('\n');
  const order = await orderPart(parts, request, orderOfPath(path));
  return `## What happened\n\n\n## What I expected\n\n\n## Facts\n\n${head}\n${order}`;
}

function versionOf(name: (typeof packages)[number]): string {
  const manifest = require(`@pay-button/${name}/package.json`) as { readonly version: string };
  return manifest.version;
}

async function orderPart(
  { testConsole, database, payments }: ReportParts,
  request: Request,
  orderId: string | undefined,
): Promise<string> {
  if (orderId === undefined) return '';
  if ((await findOwnOrder({ database }, orderId, request)) === null) return '';
  const [explain, fulfilments, requests, delivery] = await Promise.all([
    payments.explain(orderId),
    database.countFulfilments(orderId),
    testConsole.requestsAbout(orderId),
    testConsole.lastDelivery(orderId),
  ]);
  const returned = testConsole.returns.get(orderId);
  const timeline = explain?.timeline.map((entry) => `- ${entry.at} ${describeEntry(entry)}`) ?? [];
  const calls = requests.map(
    ({ at, operation, status, decidedBy, faults }) =>
      `- ${at} ${operation} ${status} (${[decidedBy, ...faults].join(', ')})`,
  );
  return [
    `\n## Order ${orderId}\n`,
    `- State: ${explain?.payment.state ?? 'unpaid'}, shipped ${fulfilments} time(s)`,
    `- Browser came back by: ${returned === undefined ? 'nothing' : `${returned.address}, sent to ${returned.sentTo}`}`,
    `- Last webhook: ${delivery === undefined ? 'none' : `${delivery.type} ${delivery.status}`}`,
    `\n### Timeline\n\n${timeline.join('\n')}`,
    `\n### Calls to the gateway\n\n${calls.join('\n')}\n`,
  ].join('\n');
}
