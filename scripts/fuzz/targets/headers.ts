import { readCookie, visitorOf } from '../../../demo/src/http/cookies.ts';
import { readRetryAfter, waitBefore } from '../../../packages/server-helper/src/gateway/meaning.ts';
import { halves, must, wellFormed, type Target } from '../target.ts';

type Request = Parameters<typeof readCookie>[0];

const NOW = Date.UTC(2026, 0, 15);

/** Retry-After of the gateway, and the cookies of a shopper behind the first line break. */
export const headers: Target = {
  name: 'headers',
  about:
    'Retry-After and Cookie: a wait that a call allows, or none; a cookie is read as it was set',
  seeds: [
    '120\nshop_session=abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQ; basket=coffee%201',
    'Thu, 15 Jan 2026 00:00:09 GMT\nbasket=%F0; basket=2',
    'Thursday, 15-Jan-26 00:00:09 GMT\n=; a=b=c',
    '-1\n',
  ],
  words: [
    '0',
    '9'.repeat(400),
    ' ',
    ',',
    '-',
    ':',
    'GMT',
    'Jan',
    'Thu',
    '2026',
    '\n',
    ';',
    '=',
    '%',
    '%00',
    '%E2',
    'shop_session=',
    'basket=',
    '__proto__=',
  ],
  check: (text) => {
    const [retryAfter, cookie] = halves(text);
    const asked = readRetryAfter({ 'retry-after': retryAfter }, NOW);
    must(asked === undefined || asked >= 0, 'a wait is no less than nothing');
    const wait = waitBefore(1, 0.5, asked);
    must(wait === null || (wait >= 0 && wait <= 60_000), 'a wait is a minute at most');
    const dated = readRetryAfter({ 'retry-after': retryAfter, date: cookie }, NOW);
    must(dated === undefined || dated >= 0, 'a date may be any text');
    const request = { headers: { cookie } } as Request;
    const visitor = visitorOf(request);
    must(visitor === undefined || !text.includes(visitor), 'a visitor’s name is not the cookie');
    const value = wellFormed(retryAfter);
    const set = {
      headers: { cookie: `basket=${encodeURIComponent(value)}; ${cookie}` },
    } as Request;
    must(readCookie(set, 'basket') === value, 'the first cookie of a name counts, as it was set');
    must(
      readCookie(set, 'toString') === undefined || cookie.includes('toString'),
      'no cookie is inherited',
    );
  },
};
