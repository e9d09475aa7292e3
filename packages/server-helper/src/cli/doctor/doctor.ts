import { packageVersion } from '../../package-version.ts';
import { type Command, type ExitCode, textOf, UsageError } from '../command.ts';
import { readShopSettings, type ShopSettings } from '../shop-settings.ts';
import { helpOf, type Check, type CheckResult, type DoctorParts } from './check.ts';
import { checkClock, checkRuntime, checkSettings } from './machine.ts';
import { checkAnswers } from './answers.ts';
import { checkKeys, checkPageOrigins, checkWebhook } from './gateway.ts';
import { checkDatabaseTls } from './database-tls.ts';
import { checkPage } from './page.ts';
import { checkPublicUrl, checkRequests } from './running-shop.ts';
import { checkBackground, checkReview, checkStore } from './store.ts';
import { isWell, writeReport, type CheckReport } from './report.ts';

const checks: readonly Check[] = [
  checkRuntime,
  checkSettings,
  checkStore,
  checkDatabaseTls,
  checkKeys,
  checkWebhook,
  checkAnswers,
  checkPageOrigins,
  checkClock,
  checkPublicUrl,
  checkRequests,
  checkPage,
  checkBackground,
  checkReview,
];

/** One question with one key, and an answer within this time, or none. */
const ANSWER_WITHIN_MS = 8_000;

/** `pay-button doctor` */
export const doctor: Command = {
  options: { offline: 'flag', page: 'text', mount: 'text', merchant: 'text' },
  async run(invocation): Promise<ExitCode> {
    const { terminal, values, words } = invocation;
    if (words.length > 0) throw new UsageError('doctor takes options only.', 'doctor');
    const page = textOf(values, 'page');
    if (page !== undefined && !/^https?:$/.test(URL.parse(page)?.protocol ?? '')) {
      throw new UsageError(
        '--page takes an address such as https://shop.example/checkout.',
        'doctor',
      );
    }
    const settings = readShopSettings(invocation, 'doctor');
    const parts: DoctorParts = {
      settings,
      clientOptions: { ...settings.options.gateway, timeoutMs: ANSWER_WITHIN_MS, breaker: false },
      page,
      drift: [],
      gatewayTime: null,
    };
    const isJson = values['json'] === true;
    const reports: CheckReport[] = [];
    for (const check of checks) {
      if (!isJson) terminal.passing(`checking: ${check.title.toLowerCase()} …`);
      const results = await resultsOf(check, parts, values['offline'] === true);
      reports.push({ id: check.id, title: check.title, results });
    }
    terminal.endProgress();
    writeReport(terminal, reports, { isJson, version: packageVersion(), settings });
    return isWell(reports) ? 0 : 1;
  },
};

async function resultsOf(
  check: Check,
  parts: DoctorParts,
  isOffline: boolean,
): Promise<readonly CheckResult[]> {
  const why = check.needs.map((need) => whyNot(need, parts.settings, isOffline)).find(Boolean);
  if (why === undefined) return check.run(parts);
  return [{ status: 'unchecked', code: 'not_checked', help: helpOf(check.id), ...why }];
}

/** Which settings a check needs to be right before it can be made. */
const needed: Readonly<Record<string, readonly string[]>> = {
  gateway: ['GATEWAY_ENVIRONMENT', 'GATEWAY_BASE_URL', 'GATEWAY_API_KEY'],
  publicUrl: ['PUBLIC_URL'],
  database: ['DATABASE_URL', 'GATEWAY_ENVIRONMENT'],
};

function whyNot(need: Check['needs'][number], { mistakes }: ShopSettings, isOffline: boolean) {
  if (need === 'network') {
    return isOffline
      ? { what: 'Not checked.', why: 'It needs a network.', fix: 'Run it without --offline.' }
      : undefined;
  }
  const wrong = mistakes.find(({ setting }) => needed[need]?.includes(setting));
  return wrong === undefined
    ? undefined
    : {
        what: 'Not checked.',
        why: `It needs ${wrong.setting}.`,
        fix: `Mend ${wrong.setting} first.`,
      };
}
