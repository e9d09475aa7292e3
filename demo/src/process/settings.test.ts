import { expect, it } from 'vitest';
import { readSettings, SettingError } from './settings.ts';

/** Why the shop refuses its settings. */
function refusalOf(settings: Readonly<Record<string, string>>): string {
  try {
    readSettings(settings);
  } catch (error) {
    if (error instanceof SettingError) return error.message;
    throw error;
  }
  return '';
}

it.each([
  ['PORT', '70000'],
  ['SANDBOX_PORT', 'x'],
  ['PUBLIC_URL', 'shop.example'],
  ['PUBLIC_URL', 'https://shop.example/path'],
  ['DATABASE_URL', 'mysql://root:hunter2@host/db'],
  ['PAY_TOKEN_SECRET', 'hunter2'],
  ['DEMO_BUG', 'hunter2'],
  ['GATEWAY_BASE_URL', 'hunter2'],
  ['GATEWAY_BASE_URL', 'http://127.0.0.1:9/v1'],
])('refuses %s=%s in one line that does not repeat it', (setting, value) => {
  const reason = refusalOf({ [setting]: value });
  expect(reason).toMatch(/PORT|PUBLIC_URL|DATABASE_URL|DEMO_BUG|PAY_TOKEN_SECRET|GATEWAY_/);
  expect(reason).not.toMatch(/hunter2|\n/);
});

it('refuses a short admin token where other machines reach the shop', () => {
  const reason = refusalOf({ DEMO_ADMIN_TOKEN: 'hunter2', HOST: '0.0.0.0' });
  expect(reason).toMatch(/DEMO_ADMIN_TOKEN is too short.*16 characters/);
  expect(reason).not.toContain('hunter2');
});

it('takes no bug with a real gateway, and asks for both halves of the portal’s login', () => {
  const gateway = { GATEWAY_BASE_URL: 'http://127.0.0.1:9/v1', GATEWAY_API_KEY: 'a-key' };
  const bug = { ...gateway, DEMO_BUG: 'no-deduplication' };
  expect(refusalOf(bug)).toMatch(/DEMO_BUG is for the sandbox/);
  expect(refusalOf({ ...gateway, GATEWAY_PORTAL_USERNAME: 'me' })).toMatch(/go together/);
});
