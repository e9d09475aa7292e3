import { existsSync, writeFileSync } from 'node:fs';
import { refusalOfPage } from '../../gateway/addresses.ts';
import { readClientSettings } from '../../gateway/client-settings.ts';
import { poolTransport } from '../../gateway/pool-transport.ts';
import type { GatewayProfile } from '../../gateway/profile.ts';
import { nameOf } from '../../errors.ts';
import {
  type Command,
  type ExitCode,
  type Invocation,
  textOf,
  UsageError,
  type Values,
} from '../command.ts';
import {
  gatewaySettings,
  readShopSettings,
  requireSettings,
  type ShopSettings,
} from '../shop-settings.ts';
import { Conversation } from './conversation.ts';
import { Findings } from './findings.ts';
import { GatewayLine, GatewaySilent } from './gateway-line.ts';
import { errorsStep, linkStep, payStep, phonesStep, readPlace } from './link-steps.ts';
import { portalStep } from './portal-steps.ts';
import { refundStep } from './refund-step.ts';
import { writeJson, writeTable, type StepReport } from './report.ts';
import { statusStep } from './status-step.ts';
import type { Step, Visit } from './visit.ts';
import { webhookStep } from './webhook-step.ts';

const steps: readonly Step[] = [
  errorsStep,
  linkStep,
  payStep,
  statusStep,
  refundStep,
  phonesStep,
  portalStep,
  webhookStep,
];

const NAME = 'first-contact';

/** `pay-button first-contact` */
export const firstContact: Command = {
  options: {
    yes: 'flag',
    steps: 'text',
    session: 'text',
    order: 'text',
    transaction: 'text',
    returned: 'text',
    wait: 'text',
    timeout: 'text',
    refund: 'flag',
    'portal-writes': 'flag',
    production: 'flag',
    out: 'text',
    force: 'flag',
  },
  async run(invocation): Promise<ExitCode> {
    if (invocation.words.length > 0) {
      throw new UsageError('first-contact takes options only.', NAME);
    }
    const chosen = chosenSteps(textOf(invocation.values, 'steps'));
    const settings = readShopSettings(invocation, NAME);
    requireSettings(settings, neededSettings);
    checkEnvironment(invocation, settings);
    const file = fileOf(invocation);
    const isTerminal = invocation.input?.isTTY === true;
    if (invocation.values['yes'] !== true && !isTerminal) {
      writePlan(invocation, chosen, file);
      return 0;
    }
    const visit = open(invocation, settings);
    try {
      const taken = await takeSteps(visit, chosen, invocation.values['yes'] !== true);
      return finish(invocation, visit, taken, file, settings);
    } finally {
      visit.conversation.close();
      await visit.line.close();
    }
  },
};

const neededSettings = [
  ...gatewaySettings,
  'GATEWAY_PROFILE',
  'GATEWAY_PAGE_ORIGINS',
  'GATEWAY_PORTAL_USERNAME',
  'GATEWAY_PORTAL_PASSWORD',
];

function chosenSteps(names: string | undefined): readonly Step[] {
  if (names === undefined) return steps;
  const wanted = names.split(',').map((name) => name.trim());
  const unknown = wanted.find((name) => steps.every((step) => step.name !== name));
  if (unknown === undefined) return steps.filter(({ name }) => wanted.includes(name));
  const known = steps.map(({ name }) => name).join(', ');
  throw new UsageError(`There is no step "${unknown.slice(0, 40)}". There are ${known}.`, NAME);
}

function secondsOf(values: Values, name: string, usual: number): number {
  const text = textOf(values, name);
  if (text === undefined) return usual;
  if (/^\d{1,4}$/.test(text) && Number(text) <= 3_600) return Number(text);
  throw new UsageError(`--${name} takes whole seconds, at most 3600.`, NAME);
}

/** In production a card that pays is a real one. */
function checkEnvironment({ values }: Invocation, { options }: ShopSettings): void {
  if (options.gateway.environment !== 'production') return;
  if (values['production'] !== true) {
    throw new UsageError(
      'GATEWAY_ENVIRONMENT is production. This command makes a link and asks you to pay it, and there your own money would move. Set the settings of staging; --production asks in production all the same.',
      NAME,
    );
  }
  if (values['refund'] === true || values['portal-writes'] === true) {
    throw new UsageError('--refund and --portal-writes are for staging only.', NAME);
  }
}

function fileOf({ values }: Invocation): string {
  const file = textOf(values, 'out') ?? 'gateway-profile.json';
  if (existsSync(file) && values['force'] !== true) {
    throw new UsageError(
      `The file ${file} is there already. Name another by --out, or add --force.`,
      NAME,
    );
  }
  return file;
}

/** Says what would be done; nothing is sent. */
function writePlan({ terminal, values }: Invocation, chosen: readonly Step[], file: string): void {
  const plan = chosen.map(({ name, does }) => ({ step: name, does }));
  if (values['json'] === true) {
    terminal.json({ plan, file });
    return;
  }
  terminal.line('Nothing was sent: the input is no terminal, and --yes is not given. It would');
  for (const { step, does } of plan) terminal.line(`  ${step.padEnd(9)} ${does}`);
  terminal.line(`and write the proposed profile to ${file}.`);
}

function open({ terminal, values, input }: Invocation, { options }: ShopSettings): Visit {
  const timeoutMs = secondsOf(values, 'timeout', 10) * 1_000;
  const { address, apiKeys, portal, profile, pageOrigins } = readClientSettings(options.gateway);
  const secrets = [...apiKeys, ...(portal === null ? [] : [portal.username, portal.password])];
  const visit: Visit = {
    line: new GatewayLine(poolTransport(address.origin, 1), address.path, timeoutMs),
    findings: new Findings(profile, secrets),
    conversation: new Conversation(terminal, input?.isTTY === true ? input : undefined),
    profile,
    apiKey: apiKeys[0] ?? '',
    portal,
    refusalOfPage: (page) => refusalOfPage(page, address.origin, pageOrigins),
    say: (text) => terminal.error(text),
    waitMs: secondsOf(values, 'wait', 300) * 1_000,
    mayRefund: values['refund'] === true,
    mayWritePortal: values['portal-writes'] === true,
    session: textOf(values, 'session'),
    orderName: textOf(values, 'order'),
    page: undefined,
    transaction: textOf(values, 'transaction'),
    returned: undefined,
    unpaid: undefined,
    history: new Map(),
  };
  readPlace(visit, textOf(values, 'returned') ?? '');
  return visit;
}

async function takeSteps(
  visit: Visit,
  chosen: readonly Step[],
  isAsked: boolean,
): Promise<readonly StepReport[]> {
  const reports: StepReport[] = [];
  for (const step of chosen) {
    const why = await whyNot(visit, step, isAsked);
    reports.push({ step: step.name, ...(why === undefined ? {} : { why }) });
    if (why !== undefined) continue;
    visit.say(`${step.name}: ${step.does} …`);
    try {
      await step.run(visit);
    } catch (error) {
      if (!(error instanceof GatewaySilent)) throw error;
      visit.findings.state('§1', 'the gateway answers', false, error.message);
      break;
    }
  }
  if (visit.line.wasLimited) visit.findings.note('N22', 'contradicted', 'an answer was a 429');
  return reports;
}

async function whyNot(visit: Visit, step: Step, isAsked: boolean): Promise<string | undefined> {
  const missing = step.missing?.(visit);
  if (missing !== undefined || !isAsked) return missing;
  const isAgreed = await visit.conversation.agrees(`${step.name}: ${step.does}?`);
  return isAgreed ? undefined : 'you did not want it';
}

function finish(
  { terminal, values }: Invocation,
  { findings }: Visit,
  taken: readonly StepReport[],
  file: string,
  { options }: ShopSettings,
): ExitCode {
  const isSomethingSeen = findings.table().some(({ verdict }) => verdict !== 'not seen');
  const profile: GatewayProfile = {
    $schema: './gateway-profile.schema.json',
    name: `${options.gateway.environment}, seen ${new Date().toISOString().slice(0, 10)}`,
    ...findings.proposed(),
  };
  if (isSomethingSeen) writeProfile(file, profile, values['force'] === true);
  const outcome = { findings, steps: taken, profile, file: isSomethingSeen ? file : null };
  if (values['json'] === true) writeJson(terminal, outcome);
  else writeTable(terminal, outcome);
  return findings.isWell() ? 0 : 1;
}

function writeProfile(file: string, profile: GatewayProfile, mayReplace: boolean): void {
  try {
    const flag = mayReplace ? 'w' : 'wx';
    writeFileSync(file, `${JSON.stringify(profile, null, 2)}\n`, { flag });
  } catch (error) {
    throw new UsageError(`The file ${file} of --out cannot be written (${nameOf(error)}).`, NAME);
  }
}
