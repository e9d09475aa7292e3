import type { Ended } from './process.ts';

/** Every module that a merchant's server or test imports, and its package. */
export const entries = [
  ['@pay-button/server-helper', '@pay-button/server-helper'],
  ['@pay-button/server-helper/back-office', '@pay-button/server-helper'],
  ['@pay-button/server-helper/parts', '@pay-button/server-helper'],
  ['@pay-button/server-helper/qr', '@pay-button/server-helper'],
  ['@pay-button/server-helper/testing', '@pay-button/server-helper'],
  ['@pay-button/gateway-sandbox', '@pay-button/gateway-sandbox'],
  ['@pay-button/gateway-sandbox/playwright', '@pay-button/gateway-sandbox'],
  ['@pay-button/gateway-sandbox/vitest', '@pay-button/gateway-sandbox'],
] as const;

/** Every program, and the package that refuses for it. */
export const programs = [
  ['server-helper/bin/pay-button.js', '@pay-button/server-helper'],
  ['gateway-sandbox/bin/pay-gateway-sandbox.js', '@pay-button/gateway-sandbox'],
  ['create/bin/create.js', '@pay-button/server-helper'],
] as const;

export const oldest = '22.19';

/** Options of Node by which it imports modules, and says so. */
export const importing = (...modules: readonly string[]): readonly string[] => [
  '--input-type=module',
  '--eval',
  `${modules.map((name) => `import '${name}';`).join('')} console.log('the shop starts');`,
];

/** How a package refuses a Node that is too old. */
export const refusal = (owner: string, version: string, program: string): Ended => ({
  code: 1,
  output: `${owner} needs Node ${oldest} or later, and this is Node ${version} (${program}): install the current long-term release from https://nodejs.org/en/download\n`,
  trouble: undefined,
});
