import { ContactEnded, ContactStopped } from './gateway-line.ts';
import { errorsStep } from './steps/errors.ts';
import { linkStep, phonesStep } from './steps/link.ts';
import { notificationsStep } from './steps/notifications.ts';
import { payStep } from './steps/pay.ts';
import { portalStep } from './steps/portal.ts';
import { refundStep } from './steps/refund.ts';
import { statusStep } from './steps/status.ts';
import { trialStep } from './steps/trial.ts';
import { removeWebhook, webhooksStep } from './steps/webhooks.ts';
import type { Verdict } from './findings.ts';
import type { Step, Visit } from './visit.ts';

/** Every step in its order. */
export const steps: readonly Step[] = [
  errorsStep,
  portalStep,
  webhooksStep,
  linkStep,
  payStep,
  statusStep,
  notificationsStep,
  refundStep,
  phonesStep,
  trialStep,
];

/** A step that was taken or not, with the reason. */
export interface StepReport {
  readonly step: string;
  readonly why?: string;
}

/** The steps that were taken, and why the run ended before the last one. */
export interface Course {
  readonly reports: readonly StepReport[];
  readonly endedBy?: string;
  /** Whether a person ended it. */
  readonly wasStopped?: boolean;
}

/** Takes one step after another, and in the end deletes the webhook that one of them made. */
export async function takeSteps(
  visit: Visit,
  chosen: readonly Step[],
  isAsked: boolean,
): Promise<Course> {
  const reports: StepReport[] = [];
  try {
    for (const [index, step] of chosen.entries()) {
      const title = `${index + 1}/${chosen.length} ${step.name}: ${step.does}`;
      const why = await whyNot(visit, step, isAsked ? `${title}?` : undefined);
      visit.line.checkOpen();
      reports.push({ step: step.name, ...(why === undefined ? {} : { why }) });
      if (why !== undefined) continue;
      if (!isAsked) visit.say(`${title} …`);
      const before = verdictsIn(visit);
      await step.run(visit);
      sayNews(visit, before);
    }
    return { reports };
  } catch (error) {
    if (!(error instanceof ContactEnded)) throw error;
    return { reports, endedBy: error.message, wasStopped: error instanceof ContactStopped };
  } finally {
    await cleanUp(visit);
  }
}

async function whyNot(
  visit: Visit,
  step: Step,
  question: string | undefined,
): Promise<string | undefined> {
  const missing = step.missing?.(visit);
  if (missing !== undefined || question === undefined) return missing;
  return (await visit.conversation.agrees(question)) ? undefined : 'you did not want it';
}

async function cleanUp(visit: Visit): Promise<void> {
  visit.line.resume();
  try {
    await removeWebhook(visit);
  } catch (error) {
    if (!(error instanceof ContactEnded)) throw error;
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
