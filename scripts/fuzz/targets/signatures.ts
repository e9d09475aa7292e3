import { createHmac } from 'node:crypto';
import type { EdgeRequest } from '../../../packages/server-helper/src/edges/http.ts';
import { faultOfSignature } from '../../../packages/server-helper/src/edges/webhook-signature.ts';
import type { SignatureSettings } from '../../../packages/server-helper/src/options/edge-settings.ts';
import { halves, must, type Target } from '../target.ts';

const isSigned = (...given: Parameters<typeof faultOfSignature>): boolean =>
  faultOfSignature(...given) === null;

const secrets = ['3f1c5b7d9e2a4c6f8b0d1e3a5c7f9b2d', 'b7d9e2a4c6f8b0d1e3a5c7f9b2d3f1c5'];
const NOW = 1_770_000_000_000;
const SECONDS = NOW / 1_000;

const plain: SignatureSettings = {
  secrets,
  header: 'x-signature',
  algorithm: 'sha256',
  encoding: 'hex',
  prefix: 'sha256=',
  timestamped: false,
};
const stamped: SignatureSettings = {
  ...plain,
  encoding: 'base64',
  prefix: '',
  timestamped: true,
};

const macOf = (secret: string, text: string, encoding: 'hex' | 'base64'): string =>
  createHmac('sha256', secret).update(text).digest(encoding);

const body = '{"merchantOrderId":"1001~1"}';
const [first, second] = secrets.map((secret) => macOf(secret, body, 'hex'));
const [, timed = ''] = secrets.map((secret) => macOf(secret, `${SECONDS}.${body}`, 'base64'));

/** The header of a webhook's signature, before the first line break, and its body. */
export const signatures: Target = {
  name: 'signatures',
  about: 'signatures of webhooks: true for the very bytes that a secret signed, in time',
  seeds: [
    `sha256=${first}\n${body}`,
    `sha256=${second?.toUpperCase()}\n${body}`,
    `t=${SECONDS},v1=${timed}\n${body}`,
    `t=${SECONDS - 301},v1=AAAA,v1=${timed}\n${body}`,
    'sha256=\n',
  ],
  words: [
    `t=${SECONDS}`,
    't=',
    'v1=',
    ',',
    ' ',
    '=',
    'sha256=',
    `v1=${timed}`,
    `sha256=${first}`,
    '\n',
    '0',
    'f',
    '-',
    '_',
  ],
  check: (text) => {
    const [header, given] = halves(text);
    const request = { header: () => header } as unknown as EdgeRequest;
    const raw = { kind: 'bytes', bytes: Buffer.from(given) } as const;
    if (isSigned(request, raw, plain, NOW)) {
      const valid = secrets.map((secret) => `sha256=${macOf(secret, given, 'hex')}`);
      must(
        valid.includes(lowerBehindPrefix(header.trim())),
        'a plain signature is the whole header',
      );
    }
    if (isSigned(request, raw, stamped, NOW)) {
      const time = /(?:^|,)\s*t=(\d{1,12})\s*(?:,|$)/.exec(header)?.[1] ?? '';
      must(Math.abs(Number(time) - SECONDS) <= 300, 'a signature is of the last minutes');
      const found = secrets.some((secret) =>
        plainBase64(header).includes(
          `v1=${plainBase64(macOf(secret, `${time}.${given}`, 'base64'))}`,
        ),
      );
      must(found, 'a timed signature is over its time and the body');
    }
    const own = `t=${SECONDS},v1=${macOf(secrets[0] ?? '', `${SECONDS}.${given}`, 'base64')}`;
    const ownRequest = { header: () => own } as unknown as EdgeRequest;
    must(
      isSigned(ownRequest, raw, stamped, NOW),
      'what a secret signs is signed, whatever the body',
    );
    must(!isSigned(ownRequest, raw, stamped, NOW + 301_000), 'a signature ages');
    must(!isSigned(ownRequest, raw, stamped, NOW - 301_000), 'a signature is not of the future');
  },
};

const lowerBehindPrefix = (text: string): string =>
  `${text.slice(0, 7)}${text.slice(7).toLowerCase()}`;

/** Base64 of either alphabet, without its padding and the bits that no byte uses. */
const plainBase64 = (text: string): string =>
  text
    .replaceAll('-', '+')
    .replaceAll('_', '/')
    .replaceAll(/v1=([A-Za-z0-9+/]{42})[A-Za-z0-9+/]=*/g, 'v1=$1')
    .replace(/^([A-Za-z0-9+/]{42})[A-Za-z0-9+/]=$/, '$1');
