import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliShop, runCliInside } from '../../../test-support/cli-shop.ts';
import { sendJson, statusAnswer, statusRow } from '../../../test-support/scripted-gateway.ts';

const portal = { GATEWAY_PORTAL_USERNAME: 'noura', GATEWAY_PORTAL_PASSWORD: 'a password' };
let shop: CliShop;

beforeEach(async () => {
  shop = await CliShop.start();
});
afterEach(() => shop.close());

const run = (env: object = {}, ...args: string[]) =>
  runCliInside(['doctor', '--json', ...args], { ...shop.env, ...env });

/** What the doctor says of the answers: the code, the sentence and how to mend it. */
async function reported(env: object = {}): Promise<readonly string[]> {
  const { json } = await run(env);
  return (json['checks'] as readonly Record<string, string>[])
    .filter(({ id }) => id === 'answers')
    .map(({ status, code, what, fix, summary }) =>
      status === 'fine' ? `fine: ${summary}` : `${status} ${code}: ${what} ${fix}`,
    );
}

function answer(paths: Readonly<Record<string, readonly [number, unknown]>>): void {
  shop.gateway.script = (request, response) => {
    const [, found] = Object.entries(paths).find(([path]) => request.path.endsWith(path)) ?? [];
    if (found === undefined) shop.gateway.answerUsually(request, response);
    else sendJson(response, ...found);
  };
}

describe('the doctor, of the gateway’s answers,', () => {
  it('finds nothing where they are as expected', async () => {
    expect(await reported()).toEqual([
      'fine: about an unknown session, as the usual profile says; first-contact sees a paid one',
    ]);
  });

  it('names an errorCode beside a success, although it says that there is no error', async () => {
    answer({ '/status': [200, { code: 200, message: 'Success', errorCode: '000', data: null }] });
    expect(await reported()).toEqual([
      expect.stringMatching(/^odd unknown_word: .*retrieveStatus.*\/errorCode\. /),
    ]);
  });

  it('names a row’s field, a word and a status, with the profile’s entry where there is one', async () => {
    const row = statusRow({ bill: 1, transactionStatus: 'DONE' });
    answer({
      '/status': [200, statusAnswer([row])],
      '/login': [200, { data: { jwt: 'a' } }],
      '/webhooks': [404, { statusCode: 404, message: 'no', error: 'Not Found' }],
    });
    expect(await reported(portal)).toEqual([
      expect.stringMatching(/^odd unknown_field: .*retrieveStatus.*\/bill\. .*status\.orderName/),
      expect.stringMatching(/^odd unknown_word: .*\/transactionStatus\. .*no entry/),
      expect.stringMatching(/^odd unknown_field: .*logIn.*\/data\. .*login\.token/),
      expect.stringMatching(/^odd unreadable_answer: .*logIn.*login\.token/),
    ]);
  });

  it('names a status code of the status call, and of the webhooks’ list', async () => {
    const refusal = { statusCode: 405, message: 'no', error: 'Method Not Allowed' };
    answer({ '/status': [405, refusal], '/webhooks': [404, { ...refusal, statusCode: 404 }] });
    expect(await reported(portal)).toEqual([
      expect.stringMatching(/^odd unexpected_status: .*retrieveStatus.* 405, .*status\.parameter/),
      expect.stringMatching(/^odd unexpected_status: .*listWebhooks.* 404, .*no entry/),
    ]);
  });

  it('says each thing once, however many keys met it', async () => {
    answer({ '/status': [200, { ...statusAnswer([]), page: 1 }] });
    expect(await reported({ GATEWAY_API_KEY: 'key-a,key-b' })).toHaveLength(1);
  });

  it('reads the profile, and names it', async () => {
    const file = join(shop.folder, 'profile.json');
    writeFileSync(file, JSON.stringify({ status: { orderName: 'bill' } }));
    answer({ '/status': [200, statusAnswer([statusRow({ bill: '1001~1' })])] });
    const env = { GATEWAY_PROFILE: file };
    expect(await reported(env)).toEqual([expect.stringMatching(`as the profile ${file} says`)]);
    expect((await run(env)).json['profile']).toBe(`the profile ${file}`);
    const { out } = await runCliInside(['doctor'], { ...shop.env, ...env });
    expect(out.split('\n')[0]).toContain(`the profile ${file}`);
  });

  it('checks nothing where no answer came', async () => {
    const unchecked = expect.stringMatching(/^unchecked not_checked/);
    expect(await reported({ GATEWAY_BASE_URL: 'http://127.0.0.1:1/v1' })).toEqual([unchecked]);
  });

  it('prints no value and no secret', async () => {
    const card = '4111111111111111';
    const row = statusRow({ [card]: card, transactionStatus: card, zone: card });
    answer({ '/status': [200, statusAnswer([row])] });
    const text = JSON.stringify((await run()).json);
    expect(text).toContain('/data/content/*/zone');
    expect(text).not.toContain(card);
  });
});
