import { afterEach, describe, expect, it, vi } from 'vitest';
import { errorOf, part, payButton, phase } from './testing/pay-button-page.ts';
import { type Answer, link, problem, script } from './testing/script.ts';

const slow = { ...link, delayMs: 300 };

/**
 * The server's answer; the code, the outcome and whether a press may help, as the page learns them;
 * and what the console tells a merchant to mend.
 */
const [refused, unknown] = ['invalid_response refused false', 'invalid_response unknown true'];
const failures: readonly (readonly [string, Answer, string, RegExp?])[] = [
  ['a problem', problem(422, 'invalid_order'), 'invalid_order refused false'],
  ['a paid order', problem(409, 'already_paid'), 'already_paid refused false'],
  [
    'a refusal that bears an address',
    { status: 409, body: { code: 'already_paid', redirectUrl: 'https://pay.example/' } },
    'already_paid refused false',
  ],
  ['a late request', problem(408, 'request_timeout'), 'request_timeout refused true'],
  [
    'a success with a code',
    { status: 200, body: { code: 'invalid_order' } },
    unknown,
    /invalid_response: .*200 without redirectUrl/,
  ],
  ['a code that is a number', { status: 400, body: { code: 7 } }, refused, /400 without a code/],
  ['too many requests', problem(429, 'rate_limited'), 'rate_limited refused true'],
  ['no gateway', problem(502, 'gateway_unreachable'), 'gateway_unreachable unknown true'],
  ['a slow gateway', problem(504, 'gateway_timeout'), 'gateway_timeout unknown true'],
  [
    'an HTML error page',
    { status: 500, body: '<h1>Oops</h1>' },
    unknown,
    /invalid_response: .*500 with HTML.*payments\.router\(\)/,
  ],
  ['an HTML 404', { status: 404, body: '<h1>No</h1>' }, refused, /404 with HTML/],
  ['a success that is null', { status: 201, body: 'null' }, unknown, /201 without redirectUrl/],
  [
    'a redirect',
    { status: 303, headers: { location: '/elsewhere' } },
    unknown,
    /answered a redirect without JSON/,
  ],
  ['a reset', { fault: 'reset' }, 'network unknown true', /network: no answer .*check the server/],
  ['text in place of JSON', { status: 200, body: 'OK' }, unknown, /200 without JSON/],
  ['a cut answer', { ...link, fault: 'cut-body' }, 'network unknown true', /network: no answer/],
  ['no answer in time', { fault: 'hang' }, 'timeout unknown true'],
  [
    'a hostile address',
    { status: 201, body: { redirectUrl: 'javascript:alert(1)' } },
    'untrusted_redirect refused false',
    /untrusted_redirect: /,
  ],
];

afterEach(() => vi.restoreAllMocks());

describe('<pay-button> failing', () => {
  it.for(failures)(
    'reports what happened to the request after %s, and once to the console what to mend',
    async ([, answer, expected, advice]) => {
      const said = vi.spyOn(console, 'error').mockImplementation(() => {});
      const shop = await script(answer);
      // Only a server that hangs is to reach the time-out, however busy the machine is.
      const element = await payButton(shop.url, answer.fault === 'hang' ? { timeoutMs: 400 } : {});
      let left = false;
      element.addEventListener('pay-redirect', () => (left = true));
      const event = await errorOf(element);
      expect(`${event.code} ${event.outcome} ${event.retryable}`).toBe(expected);
      expect(event.bubbles && event.composed).toBe(true);
      expect(left).toBe(false);
      expect(element.matches(':state(error)')).toBe(true);
      expect(element.matches(':state(busy)')).toBe(false);
      expect(part(element, 'message').textContent).toMatch(/\w{3}/);
      await errorOf(element);
      const lines = advice ? [expect.stringMatching(advice)] : [];
      await expect.poll(() => said.mock.calls.map((words) => words.join(' '))).toEqual(lines);
    },
  );

  it('shows a text of its own for a code that is a property of every object', async () => {
    const element = await payButton((await script(problem(400, 'constructor'))).url);
    await errorOf(element);
    expect(part(element, 'message').textContent).toContain('The shop could not start');
  });

  it('can be pressed again, and the error goes', async () => {
    const element = await payButton((await script({ status: 503 }, slow)).url);
    await errorOf(element);
    const paid = element.pay();
    await phase(element, 'requesting');
    expect(element.matches(':state(error)')).toBe(false);
    expect(await paid).toEqual({ outcome: 'redirected' });
  });
});
