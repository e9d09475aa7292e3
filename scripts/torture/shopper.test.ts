import { expect, it } from 'vitest';
import {
  ScriptedGateway,
  sendJson,
} from '../../packages/server-helper/test-support/scripted-gateway.ts';
import { Answers, checkout } from './shopper.ts';

it('an order without a link says which answers its shopper got, and when', async () => {
  const answers = new Answers();
  expect(String(answers)).toBe('no process answered');
  const shop = await new ScriptedGateway().start();
  const { origin } = shop;
  const ask = () => checkout(origin, '1001', answers);
  shop.script = (_request, response) => sendJson(response, 503, { code: 'store_unavailable' });
  expect(await ask()).toBeUndefined();
  shop.script = (_request, response) => sendJson(response, 429, { code: 'too_many_attempts' });
  await ask();
  await ask();
  await shop.close();
  await expect(ask()).rejects.toThrow();
  const when = String.raw`\(\d+ to \d+ s\)`;
  expect(String(answers)).toMatch(
    new RegExp(
      `^1 × 503 store_unavailable ${when}, 2 × 429 too_many_attempts ${when}, 1 × [A-Z_]+ ${when}$`,
    ),
  );
});
