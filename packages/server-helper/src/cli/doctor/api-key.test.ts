import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CliShop } from '../../../test-support/cli-shop.ts';
import { sendJson, type Script } from '../../../test-support/scripted-gateway.ts';
import { canaries } from '../../../test-support/shop.ts';

let shop: CliShop;
beforeEach(async () => {
  shop = await CliShop.start();
});
afterEach(() => shop.close());

/** An answer without a session: a gateway's to a good key, or any server's to any request. */
const nothing: Script = (request, response) => {
  const message = `Cannot GET ${request.path}`;
  sendJson(response, 404, { statusCode: 404, message, error: 'Not Found' });
};

/** What the doctor says of the key, and how many times it asked for that. */
async function examine(script: Script): Promise<{ readonly said: object; readonly asked: number }> {
  shop.gateway.script = script;
  const { json } = await shop.runInside('doctor', '--json');
  const checks = json['checks'] as readonly { readonly id: string }[];
  const said = checks.find(({ id }) => id === 'api-key') ?? {};
  return { said, asked: shop.gateway.seen.length };
}

describe('the doctor’s question about a session that does not exist', () => {
  it('finds a server that answers 404 to every key, and shows its words', async () => {
    const { said } = await examine(nothing);
    expect(said).toMatchObject({ status: 'wrong', code: 'not_found' });
    expect(JSON.stringify(said)).toMatch(/GATEWAY_BASE_URL.*Cannot GET \//);
  });

  it('believes the 404 of a gateway that refuses a wrong key', async () => {
    const { said, asked } = await examine((request, response) =>
      request.headers['x-api-key'] === canaries.apiKey
        ? nothing(request, response)
        : sendJson(response, 401, { statusCode: 401, message: 'Invalid', error: 'Unauthorized' }),
    );
    expect(said).toMatchObject({ status: 'fine' });
    expect(asked).toBe(2);
  });

  it('is asked once where the answer is a status', async () => {
    const { said, asked } = await examine(shop.gateway.answerUsually.bind(shop.gateway));
    expect(said).toMatchObject({ status: 'fine' });
    expect(asked).toBe(1);
  });
});
