import { plain } from '../../text.ts';
import { packageVersion } from '../../package-version.ts';
import * as commands from '../command.ts';
import { publicAddress, readShopSettings, type ShopSettings, storeName } from '../shop.ts';
import { type Diagnosis, writeReasons } from '../terminal.ts';
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
import * as machine from './machine.ts';
import { checkPage } from './page.ts';
import { checkPublicUrl, checkRequests } from './running-shop.ts';

/** What a check takes besides settings that are right. */
type Need = 'network' | 'gateway' | 'publicUrl' | 'database';

const checks: readonly (readonly [id: string, title: string, check: Check, ...needs: Need[]])[] = [
  ['runtime', 'Node', machine.checkRuntime],
  ['settings', 'Settings', machine.checkSettings],
  ['store', 'Store', machine.checkStore, 'database'],
  ['database-tls', 'Database TLS', machine.checkDatabaseTls, 'database'],
  ['api-key', 'API key', checkKeys, 'network', 'gateway'],
  ['webhook', 'Webhook', checkWebhook, 'network', 'gateway', 'publicUrl'],
  ['answers', 'Answers', checkAnswers, 'network', 'gateway'],
  ['page-origins', 'Hosted pages', checkPageOrigins, 'gateway'],
  ['clock', 'Clock', machine.checkClock, 'network', 'gateway'],
  ['public-url', 'Public URL', checkPublicUrl, 'network', 'publicUrl'],
  ['requests', 'Requests', checkRequests, 'network', 'publicUrl'],
  ['widget', 'Widget', checkPage, 'network'],
  ['background', 'Background work', machine.checkBackground, 'database'],
  ['review', 'Review list', machine.checkReview, 'database'],
];

/** One question with one key, and an answer within this time, or none. */
const ANSWER_WITHIN_MS = 8_000;

export const doctor: commands.Command = async (invocation) => {
  const { terminal, values, isJson } = invocation;
  commands.noWords(invocation, 'doctor takes options only.');
  const settings = readShopSettings(invocation);
  const given = commands.textOf(values, 'page') ?? '';
  const isPath = given.startsWith('/') && URL.canParse(settings.options.publicUrl);
  const page = URL.parse(isPath ? publicAddress(settings.options, given) : given)?.href ?? '';
  if (given !== '' && !/^https?:/.test(page)) {
    throw new commands.UsageError(
      '--page takes an address like https://shop.example/checkout, or /path.',
    );
  }
  let facts: Promise<StoreFacts> | undefined;
  const parts: DoctorParts = {
    settings,
    clientOptions: { ...settings.options.gateway, timeoutMs: ANSWER_WITHIN_MS, breaker: false },
    store: () => (facts ??= machine.readStore(settings)),
    page: given === '' ? undefined : page,
    config: invocation.config,
    drift: [],
    gatewayTime: null,
  };
  const results: ShownResult[] = [];
  for (const [id, title, check, ...needs] of checks) {
    if (!isJson) terminal.passing(`checking: ${title.toLowerCase()} …`);
    const help = helpOf(id === 'review' ? 'the-review-list' : id);
    const isOffline = values['offline'] === true;
    const why = needs.map((need) => whyNot(need, settings, isOffline)).find((one) => one !== null);
    // Several keys, or several elements of a page, may have the same finding.
    const found = [why ?? (await check(parts))].flat().map((one) => JSON.stringify(one));
    for (const one of new Set(found)) {
      const result = JSON.parse(one) as CheckResult;
      const explained =
        result.status === 'fine' ? result : { ...result, help: result.help ?? help };
      results.push({ id, title, ...explained });
    }
  }
  terminal.endProgress();
  return writeReport(invocation, results, settings);
};

const needed: Readonly<Record<Exclude<Need, 'network'>, readonly string[]>> = {
  gateway: ['GATEWAY_ENVIRONMENT', 'GATEWAY_BASE_URL', 'GATEWAY_API_KEY'],
  publicUrl: ['PUBLIC_URL'],
  database: ['DATABASE_URL', 'GATEWAY_ENVIRONMENT'],
};

function whyNot(need: Need, { mistakes }: ShopSettings, isOffline: boolean): CheckResult | null {
  if (need === 'network') {
    return isOffline ? notChecked('It needs a network.', 'Run it without --offline.') : null;
  }
  const wrong = mistakes.find(({ setting }) => needed[need].includes(setting));
  if (wrong === undefined) return null;
  return notChecked(`It needs ${wrong.setting}.`, `Mend ${wrong.setting} first.`);
}

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

function writeReport(
  { terminal, isJson }: commands.Invocation,
  results: readonly ShownResult[],
  settings: ShopSettings,
): commands.ExitCode {
  const version = packageVersion();
  const profile = profileNameOf(settings);
  const tally = { fine: 0, wrong: 0, odd: 0, unchecked: 0 };
  for (const { status } of results) tally[status] += 1;
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
  const { fine, wrong, odd, unchecked } = tally;
  const sums = [
    terminal.paint(wrong > 0 ? ['bold', 'red'] : 'green', `${wrong} wrong`),
    odd > 0 ? terminal.paint('yellow', `${odd} to look at`) : '',
    unchecked > 0 ? `${unchecked} not checked` : '',
    `${fine} fine`,
  ];
  terminal.line(sums.filter((part) => part !== '').join(', '));
  return isWell ? 0 : 1;
}
