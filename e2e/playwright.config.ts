import { defineConfig, devices } from '@playwright/test';
import { chromiumLaunch } from '../scripts/find-chromium.ts';

/** The suite that runs, as in the root's `vite.config.ts`: without one, the files of every suite. */
const suites = {
  quick: /(?<!\.(?:all|debian))\.test\.ts$/,
  all: /\.all\.test\.ts$/,
  debian: /\.debian\.test\.ts$/,
  named: /\.test\.ts$/,
} as const;
const suite = suites[(process.env['TEST_SUITE'] ?? 'named') as keyof typeof suites];

/** The journey tests. A retry would hide a payment that fails one time in ten, so there is none. */
export default defineConfig({
  testDir: '.',
  testMatch: suite,
  outputDir: 'test-results',
  workers: 2,
  retries: 0,
  forbidOnly: true,
  // A quiet machine needs far less; a loaded one must not fail.
  timeout: 180_000,
  expect: { timeout: 10_000 },
  use: {
    // Without screenshots: they cost more than the rest, and the snapshots show as much.
    trace: { mode: 'retain-on-failure', screenshots: false, sources: false },
    screenshot: 'only-on-failure',
    launchOptions: chromiumLaunch(),
  },
  projects: [{ name: 'chromium', use: { ...devices['Desktop Chrome'] } }],
});
