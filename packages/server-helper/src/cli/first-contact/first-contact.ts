import { existsSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { nameOf } from '../../errors.ts';
import type { GatewayProfile } from '../../index.ts';
import {
  type Command,
  type ExitCode,
  type Invocation,
  noWords,
  textOf,
  UsageError,
} from '../command.ts';
import { gatewaySettings, readShopSettings, requireSettings, type ShopSettings } from '../shop.ts';
import { ContactEnded } from './line.ts';
import { takeNotifications } from './notifications.ts';
import { takeLink, takePay } from './payment.ts';
import { removeWebhook, takePortal, takeWebhooks } from './portal.ts';
import { takeErrors, takeRefund } from './refusals.ts';
import { type StepName, stepTexts } from './readings.ts';
import { isWell, type Outcome, type Verdict, writeJson, writeTable } from './findings.ts';
import { takeStatus, takeTrial } from './status.ts';
import { NotTaken, openVisit, type Visit } from './visit.ts';

const steps: Readonly<Record<StepName, (visit: Visit) => Promise<void>>> = {
  errors: takeErrors,
  portal: takePortal,
  webhooks: takeWebhooks,
  link: takeLink,
  pay: takePay,
  status: takeStatus,
  notifications: takeNotifications,
  refund: takeRefund,
  trial: takeTrial,
};

export const firstContact: Command = async (invocation) => {
  noWords(invocation, 'first-contact takes options only.');
  const chosen = chosenSteps(textOf(invocation.values, 'steps'));
  const settings = readShopSettings(invocation);
  requireSettings(settings, neededSettings);
  checkEnvironment(invocation, settings);
  const file = fileOf(invocation);
  const isAsked = invocation.values['yes'] !== true;
  if (isAsked && invocation.input?.isTTY !== true) {
    const { terminal, isJson } = invocation;
    if (isJson) {
      terminal.json({ plan: chosen.map((step) => ({ step, does: stepTexts[step].does })), file });
    } else {
      terminal.line('Nothing was sent: the input is no terminal, and --yes is not given. It would');
      terminal.line(planOf(chosen));
      terminal.line(`and write the proposed profile to ${file}.`);
    }
    return 0;
  }
  const visit = await openVisit(invocation, settings);
  const { conversation, findings, line, made, say } = visit;
  let isStopping = false;
  // The first Ctrl-C ends the run, and what was made is taken away or named; a second one the process.
  const stop = () => {
    const { webhook } = visit;
    if (isStopping) {
      for (const [name, state] of made)
        say(`Left at the gateway: ${findings.cleanId(name)}; ${state}.`);
      if (webhook !== undefined) say(`The webhook's id is ${findings.cleanId(webhook.id)}.`);
      say('No profile was written.');
      process.exit(130);
    }
    isStopping = true;
    const doing = webhook === undefined ? 'Stopping.' : `Stopping; deleting webhook ${webhook.id}.`;
    say(`\n${doing} Press Ctrl-C again to end at once.`);
    line.interrupt();
    conversation.end();
  };
  process.on('SIGINT', stop);
  try {
    const course = await takeSteps(visit, chosen, isAsked);
    return finish(invocation, visit, course, file, settings);
  } finally {
    process.off('SIGINT', stop);
    conversation.end();
    visit.listener?.close();
    await line.close();
  }
};

type Course = Pick<Outcome, 'steps' | 'endedBy' | 'wasStopped'>;

/** Takes one step after another, and in the end deletes the webhook that one of them made. */
async function takeSteps(visit: Visit, chosen: readonly StepName[], isAsked: boolean) {
  const { conversation, line, say } = visit;
  const taken: Outcome['steps'][number][] = [];
  try {
    if (isAsked) say(planOf(chosen));
    const isAgreed = !isAsked || (await conversation.agrees('Take these steps?'));
    line.checkOpen();
    for (const [index, step] of chosen.entries()) {
      const report: { step: string; why?: string } = { step };
      taken.push(report);
      const why = isAgreed ? await takeStep(visit, step, `${index + 1}/${chosen.length}`) : NO;
      if (why !== undefined) report.why = why;
    }
    return { steps: taken };
  } catch (error) {
    const { message, wasStopped } = endOf(error);
    return { steps: taken, endedBy: message, wasStopped };
  } finally {
    line.resume();
    await removeWebhook(visit).catch(endOf);
  }
}

function endOf(error: unknown): ContactEnded {
  if (error instanceof ContactEnded) return error;
  throw error;
}

const NO = 'you did not want it';

/** Takes a step, and says what came of it. @returns why it was not taken. */
async function takeStep(visit: Visit, step: StepName, place: string): Promise<string | undefined> {
  visit.say(`${place} ${step}: ${stepTexts[step].does} …`);
  const before = verdictsIn(visit);
  try {
    await steps[step](visit);
    sayNews(visit, before);
    return undefined;
  } catch (error) {
    if (!(error instanceof NotTaken)) throw error;
    visit.say(`    left out: ${error.message}`);
    return error.message;
  }
}

const verdictsIn = ({ findings }: Visit): ReadonlyMap<string, Verdict> =>
  new Map(findings.table().map(({ id, verdict }) => [id, verdict]));

/** Says what a step added to the table, and the rows that are not as this kit reads them. */
function sayNews(visit: Visit, before: ReadonlyMap<string, Verdict>): void {
  const after = [...verdictsIn(visit)].filter(([id, verdict]) => before.get(id) !== verdict);
  const news = (['confirmed', 'different', 'contradicted'] as const).flatMap((verdict) => {
    const ids = after.filter(([, one]) => one === verdict).map(([id]) => id);
    if (ids.length === 0) return [];
    const names = verdict === 'confirmed' ? '' : ` (${ids.join(', ')})`;
    return [`${ids.length} ${verdict}${names}`];
  });
  visit.say(`    ${news.join(', ') || 'nothing new'}`);
}

const planOf = (chosen: readonly StepName[]): string =>
  chosen.map((name) => `  ${name.padEnd(14)} ${stepTexts[name].does}`).join('\n');

const neededSettings = [
  ...gatewaySettings,
  'GATEWAY_PROFILE',
  'GATEWAY_PAGE_ORIGINS',
  'GATEWAY_PORTAL_USERNAME',
  'GATEWAY_PORTAL_PASSWORD',
  'GATEWAY_WEBHOOK_SECRET',
];

function chosenSteps(names: string | undefined): readonly StepName[] {
  const all = Object.keys(stepTexts) as readonly StepName[];
  const wanted = names?.split(',').map((name) => name.trim()) ?? all;
  const unknown = wanted.find((name) => !Object.hasOwn(stepTexts, name));
  if (unknown === undefined) return all.filter((name) => wanted.includes(name));
  throw new UsageError(`There is no step "${unknown.slice(0, 40)}". There are ${all.join(', ')}.`);
}

/** In production a card that pays is a real one. */
function checkEnvironment({ values }: Invocation, { options }: ShopSettings): void {
  if (options.gateway.environment !== 'production') return;
  if (values['production'] !== true) {
    throw new UsageError(
      'GATEWAY_ENVIRONMENT is production. This command makes a link and asks you to pay it, and there your own money would move. Set the settings of staging; --production asks in production all the same.',
    );
  }
  if (values['refund'] === true || values['portal-writes'] === true) {
    throw new UsageError('--refund and --portal-writes are for staging only.');
  }
}

function fileOf({ values }: Invocation): string {
  const file = textOf(values, 'out') ?? 'gateway-profile.json';
  if (existsSync(file) && values['force'] !== true) {
    throw new UsageError(
      `The file ${file} is there already. Name another by --out, or add --force.`,
    );
  }
  return file;
}

function finish(
  { terminal, values, isJson }: Invocation,
  visit: Visit,
  course: Course,
  file: string,
  { options }: ShopSettings,
): ExitCode {
  const { findings, line, made, session, orderName } = visit;
  if (line.wasLimited) findings.note('N22', 'different', 'an answer was a 429');
  if (course.endedBy === undefined || course.wasStopped === true) {
    if (line.wasAnswered) findings.note('§1', 'confirmed', 'it does');
  } else findings.note('§1', 'contradicted', course.endedBy);
  const isComplete = course.endedBy === undefined && line.wasAnswered;
  const schema = relative(dirname(resolve(file)), resolve(SCHEMA));
  const profile: GatewayProfile = {
    // For editors, where it is installed.
    ...(existsSync(SCHEMA) ? { $schema: schema.startsWith('.') ? schema : `./${schema}` } : {}),
    name: `${options.gateway.environment}, seen ${new Date().toISOString().slice(0, 10)}`,
    ...findings.proposed(),
  };
  if (isComplete) writeProfile(file, profile, values['force'] === true);
  const name = orderName === undefined ? '' : ` --order ${orderName}`;
  const envFile = textOf(values, 'env-file');
  const command = `pay-button first-contact${envFile === undefined ? '' : ` --env-file ${envFile}`}`;
  const again = `--steps status,trial --session ${session}${name}`;
  const outcome: Outcome = {
    ...course,
    findings,
    made,
    command,
    again: session === undefined ? undefined : findings.cleanId(again),
    profile,
    file: isComplete ? file : null,
  };
  if (isJson) writeJson(terminal, outcome);
  else writeTable(terminal, outcome);
  return isWell(outcome) ? 0 : 1;
}

const SCHEMA = 'node_modules/@pay-button/server-helper/gateway-profile.schema.json';

function writeProfile(file: string, profile: GatewayProfile, mayReplace: boolean): void {
  try {
    const flag = mayReplace ? 'w' : 'wx';
    writeFileSync(file, `${JSON.stringify(profile, null, 2)}\n`, { flag });
  } catch (error) {
    throw new UsageError(`The file ${file} of --out cannot be written (${nameOf(error)}).`);
  }
}
