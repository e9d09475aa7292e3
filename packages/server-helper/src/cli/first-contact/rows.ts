import { isMerchantOrderId } from '../../ids.ts';
import type { Findings } from './findings.ts';
import type { Fields } from '../../gateway/fields.ts';
import { formOf, isPlainName } from './line.ts';
import type { Visit } from './visit.ts';

/** The fields of a row that the specification states (§2.2). */
const statedFields: Readonly<Record<string, string>> = {
  transactionId: 'a UUID',
  amount: 'a text with two decimals',
  transactionStatus: 'a text',
  paymentStatus: 'a text',
  refundStatus: 'a text',
  totalRefundAmount: 'a text with two decimals',
  pan: 'a text',
  cardScheme: 'a text',
};

/** Notes everything that the rows of one payment show. */
export function noteRows(visit: Visit, rows: readonly Fields[]): void {
  const { findings } = visit;
  noteStated(findings, rows);
  noteOrderName(visit, rows);
  noteWords(findings, rows);
  noteTries(visit, rows);
  noteAmounts(findings, rows);
  noteRefunds(visit, rows);
  if (rows.some(({ recurringToken }) => typeof recurringToken === 'string')) {
    findings.note('N10', 'different', 'the row of a payment link has a token');
  }
}

/** §2.2: a row of an open or a declined payment may lack what does not exist yet (N4). */
function noteStated(findings: Findings, rows: readonly Fields[]): void {
  const paid = rows.filter(({ transactionStatus }) => transactionStatus === 'SUCCESS');
  if (paid.length === 0) return;
  const wrong = Object.entries(statedFields).flatMap(([name, form]) => {
    const odd = paid.map((row) => formOf(row[name])).find((one) => one !== form);
    return odd === undefined ? [] : [`${name} is ${odd}`];
  });
  const isUsual = wrong.length === 0;
  const seen = isUsual ? 'all eight fields, in their form' : wrong.join(', ');
  findings.note('§2.2', isUsual ? 'confirmed' : 'contradicted', seen);
}

function noteOrderName({ findings, orderName, profile }: Visit, rows: readonly Fields[]): void {
  const extra = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) => !(name in statedFields),
  );
  const numbers = extra.filter((name) => rows.some((row) => typeof row[name] === 'number'));
  const forms = numbers.length === 0 ? '' : `; numbers: ${numbers.filter(isPlainName).join(', ')}`;
  const about = (holder?: string) =>
    `further fields: ${shownFrom(rows, extra, { holder, orderName })}${forms}`;
  const place = 'status.orderName';
  if (orderName === undefined) {
    findings.note('N6', 'not seen', `${about()}; our name of the payment is not known (--order)`);
    return;
  }
  const named = extra.filter((name) => rows.every((row) => row[name] === orderName));
  const usual = ['merchantOrderId', 'orderId'].find((name) =>
    rows.some((row) => isMerchantOrderId(row[name])),
  );
  const current = profile.status.orderName;
  const isCurrent = typeof current === 'string' && named.includes(current);
  const found = isCurrent ? current : named.find(isPlainName);
  const isUsual = usual !== undefined && named.includes(usual) && !isCurrent;
  const value = isUsual ? undefined : (found ?? null);
  const holder = isUsual ? usual : found;
  const seen = `${holder ?? 'no field'} has our name; ${about(holder)}`;
  findings.noteEntry('N6', { place, value, usual: undefined }, seen);
}

/** The further fields but for the one that has our name, and which usual place of it has another. */
function shownFrom(
  rows: readonly Fields[],
  extra: readonly string[],
  known: { readonly holder: string | undefined; readonly orderName: string | undefined },
): string {
  const { holder, orderName } = known;
  const isOther = (name: string) =>
    (name === 'orderId' || name === 'merchantOrderId') &&
    orderName !== undefined &&
    rows.some((row) => name in row && row[name] !== orderName);
  const names = extra.filter((name) => name !== holder && isPlainName(name)).slice(0, 12);
  const shown = names.map((name) => (isOther(name) ? `${name} (not our name)` : name));
  return shown.join(', ') || 'none';
}

/** N4: the words of rows that are not paid. */
export function noteWords(findings: Findings, rows: readonly Fields[]): void {
  const usual: Readonly<Record<string, string>> = { FAILED: 'DECLINED', PENDING: 'PENDING' };
  for (const { transactionStatus, paymentStatus } of rows) {
    const wanted = usual[String(transactionStatus)];
    if (wanted === undefined) continue;
    const word = typeof paymentStatus === 'string' ? paymentStatus : formOf(paymentStatus);
    const isUsual = paymentStatus === wanted;
    const seen =
      paymentStatus === undefined
        ? `a ${String(transactionStatus)} row has no paymentStatus`
        : `${String(transactionStatus)} comes with ${word.slice(0, 40)}`;
    findings.note('N4', isUsual ? 'confirmed' : 'different', seen);
  }
}

/** N2 and N5: how many tries there were, and how their words changed. */
function noteTries({ findings, history }: Visit, rows: readonly Fields[]): void {
  const words = new Set(rows.map(({ transactionStatus }) => transactionStatus));
  if (words.has('FAILED') && words.has('SUCCESS')) {
    const entry = { place: 'session.afterFailure', value: 'payable', usual: 'payable' };
    findings.noteEntry('N2', entry, 'paid after a failure; a row for each try');
  } else if (words.has('FAILED')) {
    findings.note('N2', 'not seen', 'the only payment failed');
  } else if ([...history.values()].some((seen) => seen.includes('FAILED'))) {
    findings.note('N2', 'different', 'the failed try is no longer listed');
  }
  for (const seen of history.values()) {
    if (seen.length < 2) continue;
    const isUsual = seen.length === 2 && seen[0] === 'PENDING';
    const path = seen.map((word) => word.slice(0, 20)).join(' to ');
    findings.note('N5', isUsual ? 'confirmed' : 'different', path);
  }
}

/** §4.3: a refund shows in the status, at once or when it has settled. */
export function noteRefunds({ findings }: Visit, rows: readonly Fields[]): boolean {
  const shows = rows.some(({ refundStatus }) => /^(?:PARTIAL|FULL)$/.test(String(refundStatus)));
  if (shows) findings.note('§4.3', 'confirmed', 'refundStatus shows the refund');
  return shows;
}

function noteAmounts(findings: Findings, rows: readonly Fields[]): void {
  const forms = [...new Set(rows.map(({ amount }) => formOf(amount)))];
  const isUsual = forms.every((form) => form === 'a text with two decimals');
  findings.note('N23', isUsual ? 'confirmed' : 'contradicted', `amount is ${forms.join(', ')}`);
}
