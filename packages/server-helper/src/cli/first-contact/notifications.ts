import { createHmac } from 'node:crypto';
import { isFields, parseJson, valueAt } from '../../parts.ts';
import { isPlainName } from './line.ts';
import { askByBothNames, rowsIn, takeStatus } from './status.ts';
import { needs, type Notification, type Visit } from './visit.ts';

/** How long to wait for the first notification, and for its second delivery. */
const FIRST_MS = 10_000;
const SECOND_MS = 40_000;
const POLL_MS = 100;

export async function takeNotifications(visit: Visit): Promise<void> {
  needs(visit.listener !== null, 'it is taken only with --listen PORT');
  needs(visit.orderName !== undefined, 'there is no payment of this run');
  const { findings, transaction = '' } = visit;
  const first = await arrived(visit, FIRST_MS, () => true);
  if (first === undefined) {
    findings.note('N13', 'not seen', 'no notification came');
    return;
  }
  const own = visit.listener?.notifications.find(({ body }) => body.includes(transaction));
  const body = parseJson((own ?? first).body);
  if (body === undefined) findings.note('N13', 'contradicted', 'the body is no JSON');
  else {
    // At a gateway that answers transactions alone, nothing else shows the payment.
    const ids = transaction === '' ? placesIn(body).map(({ value }) => String(value)) : [];
    const asked = ids.filter((id) => /^(?=.*\d)[\w-]{8,}$/.test(id) && id !== visit.session);
    for (const id of asked.slice(0, MOST_IDS)) {
      if (rowsIn(await askByBothNames(visit, id)).length === 0) continue;
      visit.transaction = id;
      await takeStatus(visit);
      break;
    }
    notePayload(visit, body);
  }
  noteSignature(visit, first);
  await noteRetry(visit, first);
}

async function arrived(
  { line, listener, conversation, waitMs }: Visit,
  withinMs: number,
  fits: (notification: Notification) => boolean,
): Promise<Notification | undefined> {
  const until = performance.now() + Math.min(withinMs, waitMs);
  for (;;) {
    line.checkOpen();
    const found = listener?.notifications.find(fits);
    if (found !== undefined || performance.now() > until) return found;
    await conversation.next(POLL_MS);
  }
}

const DEEPEST = 3;

/** The values of a notification that pointers of plain names lead to, the nearest ones first. */
function placesIn(
  body: unknown,
  pointer = '',
  depth = 0,
): readonly { readonly pointer: string; readonly value: unknown }[] {
  if (!isFields(body) || depth === DEEPEST) return [];
  const here = Object.entries(body)
    .filter(([name]) => isPlainName(name))
    .map(([name, value]) => ({ pointer: `${pointer}/${name}`, value }));
  return [...here, ...here.flatMap((one) => placesIn(one.value, one.pointer, depth + 1))];
}

const MOST_IDS = 8;

const orderNames = ['/merchantOrderId', '/orderId'];

function notePayload({ findings, profile, orderName, transaction }: Visit, body: unknown): void {
  const places = placesIn(body);
  const placeOf = (wanted: string | undefined, expected: readonly string[]) => {
    const isWanted = (value: unknown) => wanted !== undefined && String(value) === wanted;
    const known = expected.find((place) => isWanted(valueAt(body, place)));
    const found = places.filter(({ value }) => isWanted(value)).map(({ pointer }) => pointer);
    return known ?? found.find((pointer) => pointer.endsWith(orderNames[0] ?? '')) ?? found[0];
  };
  const given = profile.webhook.orderName;
  const name = placeOf(orderName, [...(given === undefined ? [] : [given]), ...orderNames]);
  const seen = `our name of the payment at ${name ?? 'no place'}`;
  findings.check('§6', name !== undefined, seen);
  if (name !== undefined) {
    const value = name !== given && orderNames.includes(name) ? undefined : name;
    findings.noteEntry('N13', 'webhook.orderName', value, seen);
  }
  const id = placeOf(transaction, [profile.webhook.transactionId, '/transactionId']);
  if (id === undefined) return;
  findings.noteEntry('N13', 'webhook.transactionId', id, `the transaction at ${id}`);
}

/** N14: the header that holds an HMAC of the body by a secret of the webhook, in whichever form. */
function noteSignature({ findings, listener, profile }: Visit, notification: Notification): void {
  const secrets = listener?.secrets ?? [];
  if (secrets.length === 0) {
    findings.note('N14', 'not seen', 'the secret is not known: set GATEWAY_WEBHOOK_SECRET');
    return;
  }
  const { header: expected } = profile.webhook.signature;
  for (const [name, value] of Object.entries(notification.headers)) {
    const form = formOf(String(value), notification.body, secrets);
    if (form === undefined) continue;
    // Node gives the names of headers in small letters.
    const usual = name.replaceAll(/(?:^|-)[a-z]/g, (start) => start.toUpperCase());
    const header = name === expected.toLowerCase() ? expected : usual;
    const time = form.timestamped ? ', with its time' : '';
    const seen = `${header}: HMAC with ${form.algorithm} in ${form.encoding}${time}`;
    for (const [part, one] of Object.entries({ header, ...form })) {
      findings.noteEntry('N14', `webhook.signature.${part}`, one, seen);
    }
    return;
  }
  const seen = 'no header holds an HMAC of the body by the webhook’s secret';
  findings.note('N14', 'contradicted', seen);
}

/** The form of a header that signs the body; `undefined` for any other header. */
function formOf(value: string, body: string, secrets: readonly string[]) {
  const [, seconds] = /(?:^|,)\s*t=(\d+)/.exec(value) ?? [];
  for (const algorithm of ['sha256', 'sha512', 'sha1'] as const) {
    for (const encoding of ['hex', 'base64'] as const) {
      const signed = (payload: string) =>
        secrets.map((secret) => createHmac(algorithm, secret).update(payload).digest(encoding));
      const mac = signed(body).find((one) => value.endsWith(one));
      if (mac !== undefined) {
        const prefix = value.slice(0, -mac.length);
        return { algorithm, encoding, prefix, timestamped: false };
      }
      const isTimed = signed(`${seconds}.${body}`).some((one) => value.includes(`v1=${one}`));
      if (isTimed) return { algorithm, encoding, prefix: '', timestamped: true };
    }
  }
  return undefined;
}

/** N15: the first delivery was refused, so the same notification once more is a retry. */
async function noteRetry(visit: Visit, first: Notification): Promise<void> {
  const { findings, say, waitMs } = visit;
  say(
    `    It was refused once: waiting ${Math.min(waitMs, SECOND_MS) / 1_000} s for it to come again …`,
  );
  const again = await arrived(visit, SECOND_MS, (one) => one !== first && one.body === first.body);
  if (again !== undefined) {
    const seconds = Math.round((again.at - first.at) / 1_000);
    findings.note('N15', 'confirmed', `a second delivery after ${seconds} s`);
    return;
  }
  const hasWaited = waitMs >= SECOND_MS;
  const seen = `no second delivery within ${Math.min(waitMs, SECOND_MS) / 1_000} s`;
  findings.note('N15', hasWaited ? 'different' : 'not seen', seen);
}
