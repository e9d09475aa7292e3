import { plain } from '../../html-text.ts';
import { packageVersion } from '../../package-version.ts';
import {
  type Command,
  type ExitCode,
  type Invocation,
  noWords,
  textOf,
  UsageError,
} from '../command.ts';
import { readShopSettings, type ShopSettings, storeName } from '../shop.ts';
import { type Diagnosis, type Terminal, writeReasons } from '../terminal.ts';
import {
  type Check,
  type CheckResult,
  type DoctorParts,
  helpOf,
  notChecked,
  type StoreFacts,
} from './check.ts';
import {
  checkAnswers,
  checkKeys,
  checkPageOrigins,
  checkWebhook,
  profileNameOf,
} from './gateway.ts';
import {
  checkBackground,
  checkClock,
  checkDatabaseTls,
  checkReview,
  checkRuntime,
  checkSettings,
  checkStore,
  readStore,
} from './machine.ts';
import { checkPage } from './page.ts';
import { checkPublicUrl, checkRequests } from './running-shop.ts';

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
export const doctor: Command = async (invocation) => {
  const { terminal, values, isJson } = invocation;
  noWords(invocation, 'doctor takes options only.');
  const page = textOf(values, 'page');
  if (page !== undefined && !/^https?:$/.test(URL.parse(page)?.protocol ?? '')) {
    throw new UsageError('--page takes an address such as https://shop.example/checkout.');
  }
  const settings = readShopSettings(invocation);
  let facts: Promise<StoreFacts> | undefined;
  const parts: DoctorParts = {
    settings,
    clientOptions: { ...settings.options.gateway, timeoutMs: ANSWER_WITHIN_MS, breaker: false },
    store: () => (facts ??= readStore(settings)),
    page,
    drift: [],
    gatewayTime: null,
  };
  const results: ShownResult[] = [];
  for (const check of checks) {
    const { id, title } = check;
    if (!isJson) terminal.passing(`checking: ${title.toLowerCase()} …`);
    const help = helpOf(id === 'review' ? 'the-review-list' : id);
    for (const result of await resultsOf(check, parts, values['offline'] === true)) {
      const explained =
        result.status === 'fine' ? result : { ...result, help: result.help ?? help };
      results.push({ id, title, ...explained });
    }
  }
  terminal.endProgress();
  return writeReport(invocation, results, settings);
};

async function resultsOf(
  check: Check,
  parts: DoctorParts,
  isOffline: boolean,
): Promise<readonly CheckResult[]> {
  const why = check.needs.map((need) => whyNot(need, parts.settings, isOffline)).find(Boolean);
  return why === undefined ? check.run(parts) : [why];
}

/** Which settings a check needs to be right before it can be made. */
const needed: Readonly<Record<string, readonly string[]>> = {
  gateway: ['GATEWAY_ENVIRONMENT', 'GATEWAY_BASE_URL', 'GATEWAY_API_KEY'],
  publicUrl: ['PUBLIC_URL'],
  database: ['DATABASE_URL', 'GATEWAY_ENVIRONMENT'],
};

function whyNot(
  need: Check['needs'][number],
  { mistakes }: ShopSettings,
  isOffline: boolean,
): CheckResult | undefined {
  if (need === 'network') {
    return isOffline ? notChecked('It needs a network.', 'Run it without --offline.') : undefined;
  }
  const wrong = mistakes.find(({ setting }) => needed[need]?.includes(setting));
  if (wrong === undefined) return undefined;
  return notChecked(`It needs ${wrong.setting}.`, `Mend ${wrong.setting} first.`);
}

/** A result of a check, as it is shown. */
type ShownResult = { readonly id: string; readonly title: string } & (
  | Extract<CheckResult, { readonly status: 'fine' }>
  | ({ readonly status: 'wrong' | 'odd' | 'unchecked' } & Diagnosis)
);

const marks = {
  fine: ['green', '✓'],
  wrong: ['red', '✗'],
  odd: ['yellow', '!'],
  unchecked: ['dim', '–'],
} as const;

const TITLE_WIDTH = 15;

/** Writes the findings of the doctor, for a person or as JSON. @returns whether nothing is wrong. */
function writeReport(
  { terminal, isJson }: Invocation,
  results: readonly ShownResult[],
  settings: ShopSettings,
): ExitCode {
  const version = packageVersion();
  const profile = profileNameOf(settings);
  const count = (status: CheckResult['status']): number =>
    results.filter((one) => one.status === status).length;
  const tally = {
    fine: count('fine'),
    wrong: count('wrong'),
    odd: count('odd'),
    unchecked: count('unchecked'),
  };
  const isWell = tally.wrong === 0;
  if (isJson) {
    terminal.json({ version, profile, ok: isWell, ...tally, checks: results });
    return isWell ? 0 : 1;
  }
  const { gateway, publicUrl } = settings.options;
  const about = [gateway.environment || '?', publicUrl || '?', storeName(settings), profile];
  terminal.line(
    `${terminal.paint('bold', 'pay-button doctor')} ${terminal.paint('dim', version)}  ${plain(about.join(' · '))}`,
  );
  terminal.line();
  for (const result of results) {
    const [colour, mark] = marks[result.status];
    const title = terminal.paint('bold', result.title.padEnd(TITLE_WIDTH));
    const text = result.status === 'fine' ? result.summary : result.what;
    terminal.line(`${terminal.paint(colour, mark)} ${title} ${plain(text)}`);
    if (result.status !== 'fine') writeReasons(terminal, result);
  }
  terminal.line();
  terminal.line(summaryOf(terminal, tally));
  return isWell ? 0 : 1;
}

function summaryOf(
  terminal: Terminal,
  { fine, wrong, odd, unchecked }: Readonly<Record<CheckResult['status'], number>>,
): string {
  const parts = [
    terminal.paint(wrong > 0 ? ['bold', 'red'] : 'green', `${wrong} wrong`),
    odd > 0 ? terminal.paint('yellow', `${odd} to look at`) : '',
    unchecked > 0 ? `${unchecked} not checked` : '',
    `${fine} fine`,
  ];
  return parts.filter((part) => part !== '').join(', ');
}
