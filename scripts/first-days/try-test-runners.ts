import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { chromiumArguments, findChromium } from '../find-chromium.ts';
import type { StepResult } from '../process/report-step.ts';
import { root } from '../process/root.ts';
import { Reader } from './reader.ts';
import { partOf } from './written-steps.ts';

/** A project that sells already, as `npm init` makes it: in CommonJS. */
const project = `
\`\`\`sh
npm init -y
npm install @pay-button/server-helper @pay-button/widget express
\`\`\`
`;

/** The sections of the guide, each with what its last command prints when all its tests passed. */
const runners = {
  Vitest: { heading: '## Without a browser: Vitest', passed: /Tests\s.*4 passed/ },
  Jest: { heading: '## With Jest, in CommonJS', passed: /Tests:\s+1 passed, 1 total/ },
  'node:test': { heading: '## With node:test', passed: /pass 1\n/ },
  Playwright: { heading: '## With a browser: Playwright', passed: /1 passed/ },
};

/** The lines of the guide's section about a runner, in a project of its own. */
export const tryRunner =
  (runner: keyof typeof runners) =>
  (registry: string): Promise<StepResult> => {
    const { heading, passed } = runners[runner];
    const guide = readFileSync(join(root, 'docs/testing-with-the-sandbox.md'), 'utf8');
    return Reader.at(registry, async (reader) => {
      await reader.follow(project);
      const steps = await reader.follow(withBrowserOfHere(partOf(guide, heading)));
      assert.match(stripVTControlCharacters(reader.shown()), passed);
      return { ok: true, remark: `${steps} steps` };
    });
  };

/** Playwright is told where this machine's browser is; `npx playwright install` would bring its own. */
function withBrowserOfHere(text: string): string {
  const launchOptions = { executablePath: findChromium(), args: chromiumArguments };
  return text.replace('({ use: {', `({ use: { launchOptions: ${JSON.stringify(launchOptions)},`);
}
